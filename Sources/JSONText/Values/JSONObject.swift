/// The members of an object in order. Names are compared by their UTF-8 bytes, not by canonical equivalence.
///
/// Lookup is linear, because the objects in settings and vectors have few members. If a name occurs twice the last
/// member is found.
public struct JSONObject: Sendable {
    /// The members in order. A name that occurs twice in a parsed text is here twice.
    public private(set) var members: [(name: String, value: JSONValue)]

    /// Creates an object of these members, in this order.
    public init(_ members: [(String, JSONValue)] = []) {
        self.members = members.map { (name: $0.0, value: $0.1) }
    }

    /// Creates an object of a list of members, which is not copied.
    package init(members: [(name: String, value: JSONValue)]) { self.members = members }

    /// The number of members.
    public var count: Int { members.count }
    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }
    /// The names of the members, in order.
    public var names: [String] { members.map(\.name) }

    /// Returns the member with a name. Setting it replaces the member in place; setting nil removes it.
    public subscript(_ name: String) -> JSONValue? {
        get { members.last { Self.same($0.name, name) }?.value }
        set {
            let index = members.lastIndex { Self.same($0.name, name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Whether two texts have the same bytes. Different lengths, and texts that are not even canonically equivalent,
    /// are distinguished without a look at each byte.
    static func same(_ a: String, _ b: String) -> Bool {
        guard a.utf8.count == b.utf8.count, a == b else { return false }
        // Read in place, because an iterator over UTF-8 goes byte by byte.
        let same = a.utf8.withContiguousStorageIfAvailable { a in
            b.utf8.withContiguousStorageIfAvailable { b in a.elementsEqual(b) }
        }
        return (same ?? nil) ?? a.utf8.elementsEqual(b.utf8)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from a literal such as `["name": "Ada", "age": 36]`, its members in this order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
