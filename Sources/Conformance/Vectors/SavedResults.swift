import JSONText

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
