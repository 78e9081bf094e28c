public import JSONText
import Soups

extension JSONObject {
    /// Returns the record with the members of another one put in: replaced in place, new ones at the end. Takes time
    /// linear in the size of both.
    public func merging(_ other: JSONObject) -> JSONObject {
        var rest: [ByteKey: JSONValue] = Dictionary(minimumCapacity: other.count)
        for (name, value) in other.members {
            rest[ByteKey(name)] = value
        }
        var result: [(String, JSONValue)] = []
        result.reserveCapacity(count + other.count)
        for (name, value) in members {
            result.append((name, rest.removeValue(forKey: ByteKey(name)) ?? value))
        }
        for (name, _) in other.members {
            if let value = rest.removeValue(forKey: ByteKey(name)) {
                result.append((name, value))
            }
        }
        return JSONObject(result)
    }

    /// Returns the record without the members that a condition names.
    public func removing(where isRemoved: (_ name: String) -> Bool) -> JSONObject {
        JSONObject(members.filter { !isRemoved($0.name) }.map { ($0.name, $0.value) })
    }
}
