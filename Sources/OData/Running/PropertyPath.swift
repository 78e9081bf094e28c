import Soups

/// The path of a property with its declared type, as `groupby`, `aggregate` and `$expand` use it. Types in it are
/// passed over.
struct PropertyPath: Sendable {
    let names: [String]
    /// The declared type of a single value at the end of the path.
    let type: StaticType

    /// Creates a path from its text, which starts at an entity of the type.
    init(_ path: String, model: EdmModel?, entityType: String?) {
        var names: [String] = []
        var owner = entityType
        var type = StaticType.unknown
        for segment in path.split(separator: "/").map(String.init) {
            if segment.utf8.contains(UInt8(ascii: ".")), segment.utf8.first != UInt8(ascii: "@") {
                owner = segment
                continue
            }
            names.append(segment)
            let declared = owner.flatMap { model?.memberType(segment, of: $0) }
            owner = declared?.name
            type = declared.flatMap { declared in model.map { StaticType(declared, in: $0).element } } ?? .unknown
        }
        self.names = names
        self.type = type
    }

    /// Calls a closure with each value at the end of the path: several if it leads through collections, and not at all if
    /// a name is missing.
    func forEachTerm<Node: EntityNode>(
        in entity: Node, _ body: (Term<Node>) throws(Fault) -> Void
    ) throws(Fault) {
        try forEachTerm(below: entity, from: 0, body)
    }

    /// - Parameter position: The position of the first name that is still to go.
    private func forEachTerm<Node: EntityNode>(
        below node: Node, from position: Int, _ body: (Term<Node>) throws(Fault) -> Void
    ) throws(Fault) {
        guard position < names.count else {
            return try body(Term(node, declared: type))
        }
        guard let member = node.member(names[position]) else { return }
        guard let elements = member.elements else {
            return try forEachTerm(below: member, from: position + 1, body)
        }
        for element in elements {
            try forEachTerm(below: element, from: position + 1, body)
        }
    }

    /// The node at the end of the path, which does not lead through collections; nil if a name is missing.
    func node<Node: EntityNode>(in entity: Node) -> Node? {
        var node = entity
        for name in names {
            guard let member = node.member(name) else { return nil }
            node = member
        }
        return node
    }
}
