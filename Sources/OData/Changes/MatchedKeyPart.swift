import JSONText
import Soups

/// A given part of a key next to its declaration.
struct MatchedKeyPart {
    let name: String
    let value: JSONValue
    let declaration: EdmStructuredType.KeyPart

    /// The given parts in the order of the declared ones. O(n) in their number.
    ///
    /// Throws `invalidArguments` for a part that is given twice and for one that is missing, and `unknownProperty` for one
    /// that is not declared.
    static func all(_ given: JSONObject, _ declared: [EdmStructuredType.KeyPart]) throws(Fault) -> [MatchedKeyPart] {
        var positions: [ByteKey: Int] = Dictionary(minimumCapacity: given.count)
        for (position, member) in given.members.enumerated() {
            guard positions.updateValue(position, forKey: ByteKey(member.name)) == nil else {
                throw RepeatedNames.fault(member.name)
            }
        }
        var matched: [MatchedKeyPart] = []
        matched.reserveCapacity(declared.count)
        var missing: String?
        for part in declared {
            let name = part.alias ?? part.path
            if let position = positions[ByteKey(name)] {
                matched.append(MatchedKeyPart(name: name, value: given.members[position].value, declaration: part))
            } else {
                missing = missing ?? name
            }
        }
        guard matched.count == given.count else {
            let names = Set(declared.map { ByteKey($0.alias ?? $0.path) })
            let unknown = given.names.first { !names.contains(ByteKey($0)) } ?? ""
            throw Fault(.unknownProperty, "the key has no property of this name", context: [.path(unknown)])
        }
        if let missing {
            throw Fault(.invalidArguments, "a part of the key is missing", context: [.path(missing)])
        }
        return matched
    }
}
