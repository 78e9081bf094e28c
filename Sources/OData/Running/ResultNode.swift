import Soups

/// A node in what options make of an entity: a node of its data, a computed value, or an object or list of these.
package enum ResultNode<Data: EntityNode>: EntityNode {
    case data(Data)
    case value(ODataValue)
    /// A list, with the number of members before `$skip` and `$top` if that was asked for.
    case list([ResultNode], count: Int64?)
    case object(ResultObject<Data>)

    /// An object without data of its own.
    static func object(_ members: [ResultObject<Data>.Member]) -> ResultNode {
        .object(ResultObject(origin: nil, isWhole: false, members: members))
    }

    package var content: EntityContent {
        switch self {
        case .data(let data): data.content
        case .list, .value(.collection): .array
        case .object, .value(.complex): .object
        case .value(.null): .null
        case .value(.boolean(let flag)): .boolean(flag)
        case .value(let value): .value(value)
        }
    }

    package func member(_ name: String) -> ResultNode? {
        switch self {
        case .data(let data): data.member(name).map { .data($0) }
        case .object(let object): object.member(name)
        case .value(.complex(let members)):
            members.last { $0.name.hasBytes(of: name) }.map { .value($0.value) }
        case .list, .value: nil
        }
    }

    package var elements: [ResultNode]? {
        switch self {
        case .data(let data): data.elements?.map { .data($0) }
        case .list(let elements, _): elements
        case .value(.collection(let values)): values.map { .value($0) }
        case .object, .value: nil
        }
    }

    package var memberNames: [String]? { members?.map(\.name) }

    package var members: [(name: String, value: ResultNode)]? {
        switch self {
        case .data(let data): data.members?.map { ($0.name, .data($0.value)) }
        case .object(let object): object.allMembers
        case .value(.complex(let members)): members.map { ($0.name, .value($0.value)) }
        case .list, .value: nil
        }
    }

    package func forEachMember<Failure>(_ body: (String, ResultNode) throws(Failure) -> Void) throws(Failure) {
        switch self {
        case .data(let data):
            try data.forEachMember { name, value throws(Failure) in try body(name, .data(value)) }
        case .object(let object):
            try object.forEachMember(body)
        case .value(.complex(let members)):
            for member in members {
                try body(member.name, .value(member.value))
            }
        case .list, .value: return
        }
    }

    var isNull: Bool {
        if case .null = content {
            true
        } else {
            false
        }
    }

    /// The data that the node was made from.
    var origin: Data? {
        switch self {
        case .data(let data): data
        case .object(let object): object.origin
        case .list, .value: nil
        }
    }

    /// The node as an object that options made; nil for what has no members.
    var asObject: ResultObject<Data>? {
        switch self {
        case .data(let data): ResultObject(origin: data, isWhole: true, members: [])
        case .object(let object): object
        case .list, .value: nil
        }
    }

    /// Appends a member to an object; does nothing to any other value.
    mutating func append(_ name: String, _ value: ResultNode) {
        switch self {
        case .data(let data): self = .object(ResultObject(origin: data, isWhole: true, members: [(name, value)]))
        case .object(var object):
            // The only other reference goes first, so that the members are not copied.
            self = .value(.null)
            object.members.append((name, value))
            self = .object(object)
        case .list, .value: break
        }
    }
}

/// An object that options made from the data of an entity, or from those of a group.
package struct ResultObject<Data: EntityNode>: Sendable {
    typealias Member = (name: String, value: ResultNode<Data>)

    /// The data that the object was made from; nil for a group.
    let origin: Data?
    /// Whether the object has all members of its origin, followed by its own.
    let isWhole: Bool
    var members: [Member]

    func member(_ name: String) -> ResultNode<Data>? {
        if let own = members.last(where: { $0.name.hasBytes(of: name) }) {
            return own.value
        }
        // Control information belongs to the entity, whatever was selected.
        guard isWhole || name.utf8.first == UInt8(ascii: "@") else { return nil }
        return origin?.member(name).map { .data($0) }
    }

    /// Calls a closure with each member, in their order.
    func forEachMember<Failure>(_ body: (String, ResultNode<Data>) throws(Failure) -> Void) throws(Failure) {
        if isWhole {
            try origin?.forEachMember { name, value throws(Failure) in try body(name, .data(value)) }
        }
        for member in members {
            try body(member.name, member.value)
        }
    }

    var allMembers: [Member] {
        guard isWhole, let data = origin?.members else {
            return members
        }
        return data.map { ($0.name, .data($0.value)) } + members
    }
}

extension Term {
    /// The value of an expression for data as one for a result.
    init<Data>(_ term: Term<Data>) where Node == ResultNode<Data> {
        self =
            switch term {
            case .value(let value): .value(value)
            case .text(let text): .text(text)
            case .node(let data): .node(.data(data))
            case .list(let terms): .list(terms.map { Term($0) })
            }
    }
}
