import JSONText

/// A part of a saved result: `$saved.x.0.name` is the member `name` of the first element of what a step saved as `x`.
public struct SavedPath: Sendable, Hashable {
    public let name: String
    /// Array indexes and member names, the outermost first.
    public let steps: [String]

    static let prefix = "$saved."

    /// Parses a text that starts with `$saved.`; nil for other text.
    init?(_ text: String) {
        guard text.utf8.starts(with: Self.prefix.utf8) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false).map(
            String.init)
        name = parts[0]
        steps = Array(parts.dropFirst())
    }

    var description: String { Self.prefix + ([name] + steps).joined(separator: ".") }

    /// The value at the path in a saved value; `nil` if the value has no such member.
    func value(in root: JSONValue) -> JSONValue? {
        var value = root
        for step in steps {
            switch value {
            case .array(let elements):
                guard let index = Int(step), elements.indices.contains(index) else { return nil }
                value = elements[index]
            case .object(let object):
                guard let member = object[step] else { return nil }
                value = member
            case .null, .bool, .number, .string: return nil
            }
        }
        return value
    }
}
