import JSONText

/// Names a part of a kept result: `$saved.x.0.name` is the member `name` of the first element of what a step saved as
/// `x`.
public struct SavedPath: Sendable, Hashable {
    public let name: String
    /// Array indexes and member names, from the outside in.
    public let steps: [String]

    static let prefix = "$saved."

    /// Reads a text that begins with `$saved.`; nil for any other.
    init?(_ text: String) {
        guard text.utf8.starts(with: Self.prefix.utf8) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false).map(
            String.init)
        name = parts[0]
        steps = Array(parts.dropFirst())
    }

    var description: String { Self.prefix + ([name] + steps).joined(separator: ".") }

    /// Walks into a kept value; nil where a step leads nowhere.
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

/// Keeps the results of a case's earlier steps.
struct SavedResults {
    private var values: [(name: String, value: JSONValue)] = []

    mutating func keep(_ value: JSONValue, as name: String) { values.append((name, value)) }

    func value(at path: SavedPath) -> JSONValue? {
        values.last { $0.name.utf8.elementsEqual(path.name.utf8) }.flatMap { path.value(in: $0.value) }
    }

    /// Puts kept values in the place of texts that begin with `$saved.`; everything else stays as written.
    func filling(_ value: JSONValue) throws(MissingSavedValue) -> JSONValue {
        switch value {
        case .string(let text):
            guard let path = SavedPath(text) else {
                return value
            }
            guard let kept = self.value(at: path) else {
                throw MissingSavedValue(path: path.description)
            }
            return kept
        case .array(let elements):
            var filled: [JSONValue] = []
            for element in elements {
                filled.append(try filling(element))
            }
            return .array(filled)
        case .object(let object):
            var filled: [(String, JSONValue)] = []
            for member in object.members {
                filled.append((member.name, try filling(member.value)))
            }
            return .object(JSONObject(filled))
        case .null, .bool, .number: return value
        }
    }
}

/// Says that a result which was kept has nothing at the path asked for.
struct MissingSavedValue: Error {
    let path: String
}
