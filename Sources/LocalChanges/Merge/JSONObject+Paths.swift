package import JSONText
import Soups

// A field that is sent is a member of the record, or, with dots in its name, a path into it.
extension JSONObject {
    /// The value of a field: the member of this name, or, for a dotted name, what the path leads to.
    package func value(at name: String) -> JSONValue? {
        if let member = self[name] {
            return member
        }
        let steps = name.dottedNames
        guard steps.count > 1 else { return nil }
        var value = JSONValue.object(self)
        for step in steps {
            guard let next = value[step] else { return nil }
            value = next
        }
        return value
    }

    /// The record with another value of a field, which `value(at:)` then reads; nil takes it out. Objects that are
    /// missing on the way are made, and what is there but no object is replaced by one.
    package func setting(_ value: JSONValue?, at name: String) -> JSONObject {
        let steps = name.dottedNames
        return setting(value, along: self[name] == nil ? steps[...] : [name])
    }

    private func setting(_ value: JSONValue?, along steps: ArraySlice<String>) -> JSONObject {
        guard let step = steps.first else { return self }
        var result = self
        guard steps.count > 1 else {
            result[step] = value
            return result
        }
        let inner = self[step]?.object
        guard value != nil || inner != nil else { return self }
        result[step] = .object((inner ?? JSONObject()).setting(value, along: steps.dropFirst()))
        return result
    }

    /// The record with the values of fields put in, each at its place.
    package func placing(_ fields: JSONObject) -> JSONObject {
        let dotted = fields.members.filter { $0.name.utf8.contains(UInt8(ascii: ".")) }
        let plain = fields.removing { $0.utf8.contains(UInt8(ascii: ".")) }
        return dotted.reduce(merging(plain)) { $0.setting($1.value, at: $1.name) }
    }
}
