import JSONText

/// The saved results of the earlier steps of a case.
struct SavedResults {
    private var values: [(name: String, value: JSONValue)] = []

    mutating func keep(_ value: JSONValue, as name: String) { values.append((name, value)) }

    func value(at path: SavedPath) -> JSONValue? {
        values.last { $0.name.utf8.elementsEqual(path.name.utf8) }.flatMap { path.value(in: $0.value) }
    }

    /// Replaces texts that start with `$saved.` by the saved values.
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
