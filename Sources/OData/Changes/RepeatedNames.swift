import JSONText
import Soups

/// Finds members that an entity or object would have twice. A reader would lose one of the values.
enum RepeatedNames {
    /// Checks the names in one object. Throws `invalidArguments` for one that is there twice.
    static func check(_ names: some Sequence<String>) throws(Fault) {
        var seen: Set<ByteKey> = Set(minimumCapacity: names.underestimatedCount)
        for name in names where !seen.insert(ByteKey(name)).inserted {
            throw fault(name)
        }
    }

    /// The fault for a name that is there twice.
    static func fault(_ name: String) -> Fault {
        Fault(.invalidArguments, "a member would be written twice; give each name once", context: [.path(name)])
    }

    /// Checks all objects in a value. O(n) in its size, without recursion.
    static func check(_ value: JSONValue) throws(Fault) {
        var open = [value]
        while let value = open.popLast() {
            switch value {
            case .object(let object):
                try check(object.names)
                open += object.members.map(\.value)
            case .array(let items): open += items
            case .null, .bool, .number, .string: continue
            }
        }
    }
}
