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

    /// Calls a closure with each value at the end of the path: several if it leads through collections, none if a name is
    /// missing.
    func forEachTerm<Node: EntityNode>(
        in entity: Node, _ body: (Term<Node>) throws(Fault) -> Void
    ) throws(Fault) {
        guard names.count == 1 else {
            return try forEachTerm(below: entity, names[...], body)
        }
        // Most paths have one name.
        guard let member = entity.member(names[0]) else { return }
        guard let elements = member.elements else {
            return try body(Term(member, declared: type))
        }
        for element in elements {
            try body(Term(element, declared: type))
        }
    }

    private func forEachTerm<Node: EntityNode>(
        below node: Node, _ rest: ArraySlice<String>, _ body: (Term<Node>) throws(Fault) -> Void
    ) throws(Fault) {
        guard let name = rest.first else {
            return try body(Term(node, declared: type))
        }
        guard let member = node.member(name) else { return }
        guard let elements = member.elements else {
            return try forEachTerm(below: member, rest.dropFirst(), body)
        }
        for element in elements {
            try forEachTerm(below: element, rest.dropFirst(), body)
        }
    }

    /// The node at the end of the path, which does not lead through collections; nil if a name is missing.
    func node<Node: EntityNode>(in entity: Node) -> Node? {
        if names.count == 1 {
            return entity.member(names[0])
        }
        var node: Node? = entity
        for name in names {
            node = node?.member(name)
        }
        return node
    }
}
