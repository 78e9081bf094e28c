/// Keeps the members of an object in their order; names are compared by their UTF-8 bytes, never by canonical
/// equivalence.
///
/// Look-up is linear: objects of settings and vectors have a handful of members. Where a name was given twice, the last
/// one is found.
public struct JSONObject: Sendable {
    public private(set) var members: [(name: String, value: JSONValue)]

    public init(_ members: [(String, JSONValue)] = []) {
        self.members = members.map { (name: $0.0, value: $0.1) }
    }

    public var count: Int { members.count }
    public var isEmpty: Bool { members.isEmpty }
    public var names: [String] { members.map(\.name) }

    /// Finds, replaces (in place) or, with nil, removes the member of that name.
    public subscript(_ name: String) -> JSONValue? {
        get { members.last { Self.same($0.name, name) }?.value }
        set {
            let place = members.lastIndex { Self.same($0.name, name) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
