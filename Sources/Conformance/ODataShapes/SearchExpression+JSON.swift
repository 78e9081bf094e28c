public import JSONText
public import OData

extension SearchExpression {
    /// The tree as JSON arrays: `["and", ["term", "red"], ["not", ["phrase", "dark blue"]]]`.
    public var json: JSONValue {
        var values: [JSONValue] = []
        values.reserveCapacity(nodes.count)
        for node in nodes {
            switch node {
            case .term(let text): values.append(["term", .string(text)])
            case .phrase(let text): values.append(["phrase", .string(text)])
            case .and(let left, let right): values.append(["and", values[left], values[right]])
            case .or(let left, let right): values.append(["or", values[left], values[right]])
            case .not(let inner): values.append(["not", values[inner]])
            }
        }
        return values.last ?? .null
    }
}
