import Soups

/// Members of an enumeration that are written as plain strings. Their prefix is optional from version 4.01 on (OData
/// URL Conventions 4.01, 5.1.1.14.1); before it, a string next to an enumeration is a `typeMismatch`.
extension TypeChecker {
    /// Whether an operand next to an enumeration may be a string: only as a literal, or as a list of literals.
    func isMemberLiteral(_ node: Int) -> Bool {
        guard expression.version == .v401 else {
            return false
        }
        switch expression.nodes[node].kind {
        case .literal, .list, .array: return true
        default: return false
        }
    }

    /// Notes the string literals next to an operand of an enumeration type. Throws `invalidLiteral` for a member that
    /// the enumeration does not have.
    mutating func readMembers(_ left: Operand, _ right: Operand) throws(Fault) {
        try readMembers(of: left.type, at: right.node)
        try readMembers(of: right.type, at: left.node)
    }

    private mutating func readMembers(of type: StaticType, at node: Int) throws(Fault) {
        guard isMemberLiteral(node), case .enumeration(let name) = type.base, let model, model.enumType(name) != nil
        else {
            return
        }
        guard expression.nodes[node].kind == .literal else {
            for child in expression.children(of: node) {
                try readMembers(of: type, at: child)
            }
            return
        }
        guard case .string(let members) = expression.value(of: node) else { return }
        // `has` takes several members, whether the enumeration is declared as flags or not.
        guard model.enumValue(of: members, in: name, isFlags: true) != nil else {
            throw Fault(
                .invalidLiteral, "the enumeration has no member of this name",
                offset: expression.nodes[node].range.lowerBound)
        }
        memberLiterals[node] = name
    }
}
