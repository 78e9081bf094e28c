/// A value of the Entity Data Model: of a literal, a payload or an expression.
///
/// ```swift
/// let date = try ODataValue(parsing: "2026-05-04", as: .date)
/// let text = date.canonicalText
/// ```
///
/// Every primitive type keeps its precision: integers their width, decimals 38 digits, and dates their offset and
/// twelve fractional digits.
public enum ODataValue: Sendable {
    /// Null, of any type.
    case null
    /// An `Edm.Boolean`.
    case boolean(Bool)
    /// An `Edm.Byte`.
    case byte(UInt8)
    /// An `Edm.SByte`.
    case sbyte(Int8)
    /// An `Edm.Int16`.
    case int16(Int16)
    /// An `Edm.Int32`.
    case int32(Int32)
    /// An `Edm.Int64`.
    case int64(Int64)
    /// An `Edm.Decimal`, exact.
    case decimal(EdmDecimal)
    /// An `Edm.Double`.
    case double(Double)
    /// An `Edm.Single`.
    case single(Float)
    /// An `Edm.String`.
    case string(String)
    /// An `Edm.Guid`.
    case guid(EdmGuid)
    /// An `Edm.Binary`, decoded.
    case binary([UInt8])
    /// An `Edm.Date`.
    case date(EdmDate)
    /// An `Edm.DateTime` of versions 1.0 to 3.0.
    case dateTime(EdmDateTime)
    /// An `Edm.DateTimeOffset`.
    case dateTimeOffset(EdmDateTimeOffset)
    /// `Edm.Time` of versions 1.0 to 3.0.
    case time(EdmDuration)
    /// An `Edm.TimeOfDay`.
    case timeOfDay(EdmTimeOfDay)
    /// An `Edm.Duration`.
    case duration(EdmDuration)
    /// Members or numbers separated by commas, and the qualified type name if it was given.
    case enumeration(type: String?, members: String)
    /// A point or another shape as the text of a literal, such as `SRID=0;Point(1 2)`.
    case spatial(EdmPrimitiveType, String)
    /// Members in order; names are compared by bytes.
    case complex([Member])
    /// The elements of a collection, in order.
    case collection([ODataValue])

    /// A named value of a complex value or an entity.
    public struct Member: Sendable, Equatable {
        /// The name of the member.
        public let name: String
        /// The value of the member.
        public let value: ODataValue

        /// Creates a member.
        public init(_ name: String, _ value: ODataValue) {
            self.name = name
            self.value = value
        }

        public static func == (a: Member, b: Member) -> Bool {
            a.name.hasBytes(of: b.name) && a.value == b.value
        }
    }

    /// The primitive type; nil for null, enumerations, complex values and collections.
    public var primitiveType: EdmPrimitiveType? {
        switch self {
        case .null, .complex, .collection, .enumeration: nil
        case .boolean: .boolean
        case .byte: .byte
        case .sbyte: .sbyte
        case .int16: .int16
        case .int32: .int32
        case .int64: .int64
        case .decimal: .decimal
        case .double: .double
        case .single: .single
        case .string: .string
        case .guid: .guid
        case .binary: .binary
        case .date: .date
        case .dateTime: .dateTime
        case .dateTimeOffset: .dateTimeOffset
        case .time: .time
        case .timeOfDay: .timeOfDay
        case .duration: .duration
        case .spatial(let type, _): type
        }
    }

    /// Whether the value is null.
    public var isNull: Bool {
        if case .null = self {
            true
        } else {
            false
        }
    }
}

/// Values are equal if they have the same type and the same representation: strings are compared by bytes, doubles by
/// bits. This is not the `eq` operator of OData.
extension ODataValue: Equatable {
    public static func == (a: ODataValue, b: ODataValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.boolean(let x), .boolean(let y)): x == y
        case (.byte(let x), .byte(let y)): x == y
        case (.sbyte(let x), .sbyte(let y)): x == y
        case (.int16(let x), .int16(let y)): x == y
        case (.int32(let x), .int32(let y)): x == y
        case (.int64(let x), .int64(let y)): x == y
        case (.decimal(let x), .decimal(let y)): x == y
        case (.double(let x), .double(let y)): x.bitPattern == y.bitPattern
        case (.single(let x), .single(let y)): x.bitPattern == y.bitPattern
        case (.string(let x), .string(let y)): x.hasBytes(of: y)
        case (.guid(let x), .guid(let y)): x == y
        case (.binary(let x), .binary(let y)): x == y
        case (.date(let x), .date(let y)): x == y
        case (.dateTime(let x), .dateTime(let y)): x == y
        case (.dateTimeOffset(let x), .dateTimeOffset(let y)): x == y
        case (.time(let x), .time(let y)), (.duration(let x), .duration(let y)): x == y
        case (.timeOfDay(let x), .timeOfDay(let y)): x == y
        case (.enumeration(let t, let x), .enumeration(let u, let y)):
            x.hasBytes(of: y) && (t ?? "").hasBytes(of: u ?? "")
        case (.spatial(let t, let x), .spatial(let u, let y)): t == u && x.hasBytes(of: y)
        case (.complex(let x), .complex(let y)): x == y
        case (.collection(let x), .collection(let y)): x == y
        default: false
        }
    }
}
