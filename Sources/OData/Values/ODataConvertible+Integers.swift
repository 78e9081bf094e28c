extension ODataConvertible where Self: FixedWidthInteger {
    /// Creates an integer from any numeric value that is whole and in the range of the type.
    public init?(_ value: ODataValue) {
        guard let decimal = value.exactDecimal, decimal.scale == 0 || decimal.rounded(.towardsZero) == decimal
        else { return nil }
        if let integer = decimal.int64 {
            self.init(exactly: integer)
        } else {
            self.init(decimal.rounded(.towardsZero).description)
        }
    }

    /// An `Edm.Int32` if the integer fits into 32 bits, else an `Edm.Int64`, else an `Edm.Decimal`.
    public var odataValue: ODataValue {
        if let small = Int32(exactly: self) {
            return .int32(small)
        }
        if let large = Int64(exactly: self) {
            return .int64(large)
        }
        return EdmDecimal(String(self)).map(ODataValue.decimal) ?? .null
    }
}

extension Int: ODataConvertible {}
extension Int8: ODataConvertible {}
extension Int16: ODataConvertible {}
extension Int32: ODataConvertible {}
extension Int64: ODataConvertible {}
extension UInt: ODataConvertible {}
extension UInt8: ODataConvertible {}
extension UInt16: ODataConvertible {}
extension UInt32: ODataConvertible {}
extension UInt64: ODataConvertible {}
