import Soups

extension TypeChecker {
    typealias Operand = (node: Int, type: StaticType)

    mutating func binary(_ kind: ExpressionNode.Kind, _ left: Operand, _ right: Operand) throws(Fault) -> StaticType {
        let result = try result(of: kind, left, right)
        switch kind {
        case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual, .in, .has:
            try readMembers(left, right)
        default: break
        }
        return result
    }

    private func result(of kind: ExpressionNode.Kind, _ left: Operand, _ right: Operand) throws(Fault) -> StaticType {
        switch kind {
        case .and, .or:
            for operand in [left, right] where !mayBeBoolean(operand) {
                throw mismatch("the operands of 'and' and 'or' must be booleans", at: operand.node)
            }
            return .boolean
        case .equal, .notEqual:
            guard
                areComparable(left, right) || left.type.isCollection && isWritten(right, asMembersOf: left)
                    || right.type.isCollection && isWritten(left, asMembersOf: right)
            else {
                throw mismatch("the operands have types that cannot be compared", at: right.node)
            }
            return .boolean
        case .greater, .greaterOrEqual, .less, .lessOrEqual:
            for operand in [left, right] where !operand.type.isOrdered {
                throw mismatch("values of this type have no order; use eq or ne", at: operand.node)
            }
            guard areComparable(left, right) else {
                throw mismatch("the operands have types that cannot be ordered", at: right.node)
            }
            return .boolean
        case .in:
            try checkMembers(of: right, against: left)
            if right.type.base == .unknown || right.type.base == .null {
                return .boolean
            }
            guard right.type.isCollection else {
                throw mismatch("expected a list or collection after 'in'", at: right.node)
            }
            let members = (right.node, right.type.element)
            guard areComparable(left, members) || !left.type.isCollection && isWritten(right, asMembersOf: left) else {
                throw mismatch("the list has values of another type than the left operand", at: right.node)
            }
            return .boolean
        case .has:
            // Without metadata a member of an enumeration is a string.
            let isDeclared = model != nil && expression.nodes[left.node].kind == .path
            if case .primitive(let type) = left.type.base, type != .string || isDeclared {
                throw mismatch("the operands of 'has' must be enumerations", at: left.node)
            }
            if case .enumeration(let a) = left.type.base, case .enumeration(let b) = right.type.base, model != nil,
                !a.hasBytes(of: b)
            {
                throw mismatch("the operands of 'has' are of different enumerations", at: right.node)
            }
            if case .primitive(let type) = right.type.base,
                type != .string || !isMember(right, of: left.type) && !isAlias(right.node)
            {
                throw mismatch("the operands of 'has' must be enumerations", at: right.node)
            }
            return .boolean
        default: return try arithmetic(kind, left, right)
        }
    }

    /// Checks each member of a list that is written in the expression.
    private func checkMembers(of list: Operand, against left: Operand) throws(Fault) {
        guard [.list, .array].contains(expression.nodes[list.node].kind), list.type.base == .unknown else { return }
        let isJSON = expression.nodes[list.node].kind == .array
        for member in expression.children(of: list.node) where !areComparable(left, (member, types[member])) {
            // In a JSON array dates, Guids and others are strings.
            if isJSON, types[member].primitive == .string, areStringsInJSON(left.type) {
                continue
            }
            throw mismatch("the list has values of another type than the left operand", at: list.node)
        }
    }

    /// Whether an operand is a JSON array of strings, which may be dates, Guids and others there.
    private func isWritten(_ array: Operand, asMembersOf other: Operand) -> Bool {
        expression.nodes[array.node].kind == .array && array.type.base == .primitive(.string)
            && areStringsInJSON(other.type)
    }

    private func areStringsInJSON(_ type: StaticType) -> Bool {
        switch type.base {
        case .primitive(let primitive): !type.element.isNumeric && primitive != .boolean
        case .unknown, .null, .enumeration: true
        case .structured: false
        }
    }

    private func areComparable(_ left: Operand, _ right: Operand) -> Bool {
        let (a, b) = (left.type, right.type)
        if a.base == .unknown || b.base == .unknown || a.base == .null || b.base == .null {
            return true
        }
        if a.isCollection != b.isCollection {
            return false
        }
        switch (a.base, b.base) {
        // The value of an alias may be a duration or a member of an enumeration without its prefix.
        case (.primitive(.duration), .primitive(.string)) where isAlias(right.node),
            (.enumeration, .primitive(.string)) where isAlias(right.node),
            (.primitive(.string), .primitive(.duration)) where isAlias(left.node),
            (.primitive(.string), .enumeration) where isAlias(left.node):
            return expression.version == .v401
        // In 4.01 the prefix of a duration is optional. Without it the duration is parsed as a string.
        case (.primitive(.duration), .primitive(.string)): return isShortDuration(right.node)
        case (.primitive(.string), .primitive(.duration)): return isShortDuration(left.node)
        case (.primitive(let x), .primitive(let y)): return x == y || (x.isNumeric && y.isNumeric)
        case (.enumeration, .primitive(let y)): return y == .string && isMemberLiteral(right.node)
        case (.primitive(let x), .enumeration): return x == .string && isMemberLiteral(left.node)
        case (.enumeration(let x), .enumeration(let y)): return model == nil || x.hasBytes(of: y)
        case (.structured, .structured): return true
        default: return false
        }
    }

    /// Whether a string may be the right operand of `has`. Without a declared enumeration any string may.
    private func isMember(_ operand: Operand, of type: StaticType) -> Bool {
        if case .enumeration = type.base {
            isMemberLiteral(operand.node)
        } else {
            true
        }
    }

    private func isAlias(_ node: Int) -> Bool { expression.nodes[node].kind == .alias }

    private func isShortDuration(_ node: Int) -> Bool {
        if expression.nodes[node].kind == .list {
            return expression.children(of: node).allSatisfy(isShortDuration)
        }
        guard expression.version == .v401, expression.nodes[node].kind == .literal,
            case .string(let text) = expression.value(of: node)
        else {
            return false
        }
        return EdmDuration(text) != nil
    }

    private func arithmetic(_ kind: ExpressionNode.Kind, _ left: Operand, _ right: Operand) throws(Fault) -> StaticType
    {
        let (a, b) = (left.type, right.type)
        if let temporal = temporal(kind, a, b) {
            return temporal
        }
        for operand in [left, right] where !operand.type.isNumeric {
            let other = operand.node == left.node ? right.type : left.type
            // The other operand may turn out to be a duration or a date once data are read.
            if other.isOpen, operand.type.isOpen(or: .duration, .date, .dateTimeOffset) {
                return .unknown
            }
            throw mismatch("the operand must be a number", at: operand.node)
        }
        guard let x = a.primitive, let y = b.primitive else {
            return .unknown
        }
        if x == .double || y == .double {
            return .primitive(.double)
        }
        if x == .single || y == .single {
            return .primitive(.single)
        }
        if x == .decimal || y == .decimal || kind == .divideBy {
            return .primitive(.decimal)
        }
        return .primitive(.int64)
    }

    /// The result type of arithmetic with dates and durations (OData URL Conventions 4.01, 5.1.1.2); nil for other
    /// operands.
    private func temporal(_ kind: ExpressionNode.Kind, _ a: StaticType, _ b: StaticType) -> StaticType? {
        switch (a.primitive, kind, b.primitive) {
        case (.dateTimeOffset?, .add, .duration?), (.dateTimeOffset?, .subtract, .duration?):
            .primitive(.dateTimeOffset)
        case (.date?, .add, .duration?), (.date?, .subtract, .duration?): .primitive(.date)
        case (.duration?, .add, .duration?), (.duration?, .subtract, .duration?): .primitive(.duration)
        case (.duration?, .add, .dateTimeOffset?): .primitive(.dateTimeOffset)
        case (.duration?, .add, .date?): .primitive(.date)
        case (.dateTimeOffset?, .subtract, .dateTimeOffset?), (.date?, .subtract, .date?): .primitive(.duration)
        case (.duration?, .multiply, let other?) where other.isNumeric: .primitive(.duration)
        case (.duration?, .divide, let other?) where other.isNumeric: .primitive(.duration)
        case (.duration?, .divideBy, let other?) where other.isNumeric: .primitive(.duration)
        case (let other?, .multiply, .duration?) where other.isNumeric: .primitive(.duration)
        default: nil
        }
    }
}
