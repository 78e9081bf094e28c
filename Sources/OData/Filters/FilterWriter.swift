import Soups

/// Writes the text of a built condition in a version.
struct FilterWriter {
    let version: ODataVersion

    func text(of condition: ODataFilterBuilder.Condition, depth: Int = 0) throws(Fault) -> String {
        switch condition {
        case .comparison(let field, let name, let value):
            return "\(try path(of: field, depth)) \(name) \(try literal(value))"
        case .function(let name, let field, let text):
            let path = try path(of: field, depth)
            if name == "contains", !version.isV4 {
                return "substringof(\(LiteralText.quoted(text)),\(path))"
            }
            return "\(name)(\(path),\(LiteralText.quoted(text)))"
        case .membership(let field, let values): return try membership(of: field, in: values, depth)
        case .and(let conditions): return try joined(conditions, " and ", depth)
        case .or(let conditions): return try joined(conditions, " or ", depth)
        case .not(let operand): return "not (\(try text(of: operand, depth: depth)))"
        case .lambda(let field, let name, let inner):
            let path = try path(of: field, depth)
            guard let inner else {
                return "\(path)/\(name)()"
            }
            return "\(path)/\(name)(\(variable(depth + 1)):\(try text(of: inner, depth: depth + 1)))"
        }
    }

    /// Puts each condition in parentheses; the canonical text leaves out those that precedence does not require.
    private func joined(
        _ conditions: [ODataFilterBuilder.Condition], _ word: String, _ depth: Int
    ) throws(Fault) -> String {
        var texts: [String] = []
        for condition in conditions {
            texts.append("(" + (try text(of: condition, depth: depth)) + ")")
        }
        return texts.joined(separator: word)
    }

    private func membership(
        of field: ODataFilterBuilder.Field, in values: [ODataValue], _ depth: Int
    ) throws(Fault) -> String {
        guard !values.isEmpty else {
            return "false"
        }
        let path = try path(of: field, depth)
        var literals: [String] = []
        for value in values {
            literals.append(try literal(value))
        }
        return version == .v401
            ? "\(path) in (\(literals.joined(separator: ",")))"
            : literals.map { "\(path) eq \($0)" }.joined(separator: " or ")
    }

    /// Inside a lambda a path starts at the variable.
    private func path(of field: ODataFilterBuilder.Field, _ depth: Int) throws(Fault) -> String {
        guard depth > 0 else {
            guard !field.path.isEmpty else {
                throw Fault(.syntax, "item is the member of a collection; use it in the condition of any or all")
            }
            return field.path
        }
        return field.path.isEmpty ? variable(depth) : variable(depth) + "/" + field.path
    }

    private func variable(_ depth: Int) -> String { "x\(depth)" }

    private func literal(_ value: ODataValue) throws(Fault) -> String {
        guard let text = LiteralText.text(of: value, version: version) else {
            throw Fault(.unsupported, "a collection cannot be written as a literal of a filter")
        }
        return text
    }
}
