import JSONText
import Soups

/// A given part of a key next to its declaration.
struct MatchedKeyPart {
    let name: String
    let value: JSONValue
    let declaration: EdmStructuredType.KeyPart
    /// The position of the declaration in the key.
    let position: Int

    /// The given parts in the order of the declared ones. O(n) in their number.
    ///
    /// Throws `invalidArguments` for a part that is given twice and for one that is missing, and `unknownProperty` for
    /// one that is not declared.
    static func all(_ given: JSONObject, _ declared: [EdmStructuredType.KeyPart]) throws(Fault) -> [MatchedKeyPart] {
        if let inOrder = inOrder(given, declared) {
            return inOrder
        }
        var positions: [ByteKey: Int] = Dictionary(minimumCapacity: given.count)
        for (position, member) in given.members.enumerated() {
            guard positions.updateValue(position, forKey: ByteKey(member.name)) == nil else {
                throw RepeatedNames.fault(member.name)
            }
        }
        var matched: [MatchedKeyPart] = []
        matched.reserveCapacity(declared.count)
        var missing: String?
        for (index, part) in declared.enumerated() {
            let name = part.alias ?? part.path
            if let position = positions[ByteKey(name)] {
                let value = given.members[position].value
                matched.append(MatchedKeyPart(name: name, value: value, declaration: part, position: index))
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

    /// The given parts, if they have the order of the declared ones; nil otherwise.
    private static func inOrder(
        _ given: JSONObject, _ declared: [EdmStructuredType.KeyPart]
    ) -> [MatchedKeyPart]? {
        guard given.count == declared.count else { return nil }
        var matched: [MatchedKeyPart] = []
        matched.reserveCapacity(declared.count)
        for (position, part) in declared.enumerated() {
            let name = part.alias ?? part.path
            let member = given.members[position]
            guard name.hasBytes(of: member.name) else { return nil }
            matched.append(MatchedKeyPart(name: name, value: member.value, declaration: part, position: position))
        }
        return matched
    }
}
