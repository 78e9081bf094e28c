extension JSONValue: Equatable {
    /// Compares by value: numbers by their exact decimal value, strings by Unicode scalars without normalization, and
    /// objects without regard to the order of members. Does not recurse.
    public static func == (a: JSONValue, b: JSONValue) -> Bool {
        if let isEqual = scalarsAreEqual(a, b) {
            return isEqual
        }
        var pending = [(a, b)]
        while let (left, right) = pending.popLast() {
            switch (left, right) {
            case (.array(let l), .array(let r)):
                if l.count != r.count {
                    return false
                }
                pending.append(contentsOf: zip(l, r))
            case (.object(let l), .object(let r)):
                guard let pairs = l.pairs(with: r) else { return false }
                pending.append(contentsOf: pairs)
            default:
                guard scalarsAreEqual(left, right) == true else { return false }
            }
        }
        return true
    }

    /// Compares values of which one is neither array nor object; nil for others. Needs no memory, as most values do
    /// not.
    private static func scalarsAreEqual(_ a: JSONValue, _ b: JSONValue) -> Bool? {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let l), .bool(let r)): l == r
        case (.number(let l), .number(let r)): l == r
        case (.string(let l), .string(let r)): JSONObject.same(l, r)
        case (.array, .array), (.object, .object): nil
        default: false
        }
    }
}

extension JSONObject: Equatable {
    /// Compares members by name, in any order. Duplicate names must occur equally often, with their values in the same
    /// order.
    public static func == (a: JSONObject, b: JSONObject) -> Bool { JSONValue.object(a) == JSONValue.object(b) }

    /// The pairs of values with the same name; nil if the names differ.
    fileprivate func pairs(with other: JSONObject) -> [(JSONValue, JSONValue)]? {
        guard count == other.count else { return nil }
        if zip(members, other.members).allSatisfy({ Self.same($0.name, $1.name) }) {
            return zip(members, other.members).map { ($0.value, $1.value) }
        }
        let left = sortedByName
        let right = other.sortedByName
        guard zip(left, right).allSatisfy({ Self.same($0.name, $1.name) }) else { return nil }
        return zip(left, right).map { ($0.value, $1.value) }
    }

    /// The members sorted by the bytes of their names; equal names keep their order.
    var sortedByName: [(name: String, value: JSONValue)] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
