extension ODataValue {
    /// The value as a value of a declared type; null if it does not fit the type.
    func converted(to type: StaticType) -> ODataValue {
        guard !type.isOpen else {
            return self
        }
        if case .enumeration(let name) = type.base {
            return enumeration(named: name)
        }
        guard let wanted = type.primitive else {
            return .null
        }
        guard primitiveType != wanted else {
            return self
        }
        if wanted.isNumeric, primitiveType?.isNumeric == true {
            return number(as: wanted) ?? .null
        }
        if case .spatial = self, wanted.isSpatial {
            return self
        }
        return .null
    }

    private func enumeration(named name: String) -> ODataValue {
        switch self {
        case .enumeration(_, let members), .string(let members): .enumeration(type: name, members: members)
        default:
            Comparison.decimal(self)?.int64.map { .enumeration(type: name, members: String($0)) } ?? .null
        }
    }

    private func number(as type: EdmPrimitiveType) -> ODataValue? {
        switch type {
        case .double: return Comparison.double(self).map(ODataValue.double)
        case .single: return Comparison.double(self).map { .single(Float($0)) }
        case .decimal: return exactDecimal.map(ODataValue.decimal)
        default:
            guard let integer = exactDecimal?.int64 else { return nil }
            return withBytes(of: String(integer)) { ODataValue.read($0, as: type) }
        }
    }

    /// A number as a decimal, a double by its shortest text; nil for anything that is not a finite number.
    var exactDecimal: EdmDecimal? {
        switch self {
        case .double(let value): value.isFinite ? EdmDecimal("\(value)") : nil
        case .single(let value): value.isFinite ? EdmDecimal("\(value)") : nil
        default: Comparison.decimal(self)
        }
    }
}
