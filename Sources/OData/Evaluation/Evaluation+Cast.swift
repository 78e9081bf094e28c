import Soups

extension Evaluation {
    /// Evaluates `cast` and `isof`. The result of a failed cast is null; `isof` is false for null.
    mutating func typeCall(_ index: Int) throws(Fault) -> Value {
        let children = evaluator.expression.children(of: index)
        let typeNode = children[children.count - 1]
        let name = evaluator.names[typeNode]
        let isCast = node(index).kind == .cast
        let operand: Value = children.count == 2 ? try term(children[0]) : .node(current)
        let declared =
            children.count == 2 ? evaluator.types[children[0]] : evaluator.castTypes[index] ?? evaluator.entityType
        if operand.isNull {
            return isCast ? .null : .boolean(false)
        }
        let defined = evaluator.model?.typeDefinition(name)?.underlying.primitiveType
        if let type = EdmPrimitiveType(named: name) ?? defined {
            return isCast ? cast(operand, to: type) : .boolean(hasPrimitiveType(operand, type))
        }
        switch operand {
        case .node(let instance) where instance.elements == nil:
            if instance.statedType == nil, declared.structuredName == nil {
                throw Fault(
                    .unsupported, "the type of the data is unknown; give a model and an entity type",
                    offset: node(index).range.lowerBound)
            }
            let fits = isInstance(instance, of: name, declared: declared)
            return isCast ? (fits ? operand : .null) : .boolean(fits)
        default:
            if let members = enumeration(operand, name) {
                return isCast
                    ? .value(.enumeration(type: name, members: members)) : .boolean(isEnumeration(operand, name))
            }
            return isCast ? .null : .boolean(false)
        }
    }

    /// The value of a type segment in a path: the instance itself if it has the type, or the members of a collection
    /// that have it; nil for anything else.
    mutating func cast(_ target: Value?, at segment: Int) throws(Fault) -> Value? {
        let name = evaluator.names[segment]
        let declared = (evaluator.castTypes[segment] ?? .unknown).element
        switch target {
        case .node(let node)? where node.elements == nil:
            return isInstance(node, of: name, declared: declared) ? target : nil
        case .node?, .list?:
            let all = try members(of: target ?? .null)
            return .list(
                all.filter { element in
                    guard case .node(let member) = element else { return false }
                    return isInstance(member, of: name, declared: declared)
                })
        default: return nil
        }
    }

    private func hasPrimitiveType(_ value: Value, _ type: EdmPrimitiveType) -> Bool {
        switch value {
        case .text: type == .string
        case .value(let value): value.primitiveType == type
        default: false
        }
    }

    private func isEnumeration(_ value: Value, _ name: String) -> Bool {
        if case .value(.enumeration(let type?, _)) = value {
            guard let model = evaluator.model else { return type.hasBytes(of: name) }
            return model.resolve(type).hasBytes(of: model.resolve(name))
        }
        return false
    }

    /// Text or a number as members of an enumeration of the model; nil if it is not a value of the enumeration.
    private func enumeration(_ value: Value, _ name: String) -> String? {
        guard let model = evaluator.model, model.enumType(name) != nil else { return nil }
        if case .value(.enumeration(_, let members)) = value {
            return members
        }
        guard
            let text = value.string
                ?? {
                    if case .value(let number) = value { Comparison.integer(number).map { String($0) } } else { nil }
                }(),
            model.enumValue(of: text, in: name) != nil
        else {
            return nil
        }
        return text
    }

    private func cast(_ value: Value, to type: EdmPrimitiveType) -> Value {
        if let text = value.string {
            return .value(Value.read(text, as: type) ?? .null)
        }
        guard case .value(let value) = value else {
            return .null
        }
        if value.primitiveType == type {
            return .value(value)
        }
        if type == .string {
            return value.canonicalText.map { .string($0) } ?? .null
        }
        if type.isNumeric, value.primitiveType?.isNumeric == true {
            return .value(number(value, as: type) ?? .null)
        }
        switch (value, type) {
        case (.dateTimeOffset(let instant), .date): return .value(.date(instant.local.date))
        case (.dateTimeOffset(let instant), .timeOfDay): return .value(.timeOfDay(instant.local.time))
        default: return .null
        }
    }

    /// Converts a number to another type. Fractions are truncated; the result is nil if the number is out of range.
    private func number(_ value: ODataValue, as type: EdmPrimitiveType) -> ODataValue? {
        switch type {
        case .double: return Comparison.double(value).map(ODataValue.double)
        case .single:
            guard let number = Comparison.double(value).map({ Float($0) }),
                number.isFinite || Comparison.double(value)?.isFinite == false
            else {
                return nil
            }
            return .single(number)
        case .decimal:
            if let exact = Comparison.decimal(value) {
                return .decimal(exact)
            }
            return Comparison.double(value).flatMap { EdmDecimal("\($0)") }.map(ODataValue.decimal)
        default:
            return whole(value).flatMap { Value.read(String($0), as: type) }
        }
    }

    /// The whole part of a number; nil if it does not fit into 64 bits. A decimal is not read as a double, which could
    /// be the nearest number that fits.
    private func whole(_ value: ODataValue) -> Int64? {
        if let decimal = Comparison.decimal(value) {
            return decimal.rounded(.towardsZero).int64
        }
        return Comparison.double(value).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }
}
