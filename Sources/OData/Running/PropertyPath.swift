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

    /// The nodes at the end of the path: several if it leads through collections, none if a name is missing.
    func nodes<Node: EntityNode>(in entity: Node) -> [Node] {
        var nodes = [entity]
        for name in names {
            nodes = nodes.flatMap { node in node.member(name).map { $0.elements ?? [$0] } ?? [] }
        }
        return nodes
    }

    /// The values at the end of the path.
    func terms<Node: EntityNode>(in entity: Node) -> [Term<Node>] {
        nodes(in: entity).map { Term($0, declared: type) }
    }

    /// The value of a property that is not a collection; null if a name is missing.
    func term<Node: EntityNode>(in entity: Node) -> Term<Node> {
        node(in: entity).map { Term($0, declared: type) } ?? .null
    }

    func node<Node: EntityNode>(in entity: Node) -> Node? {
        var node: Node? = entity
        for name in names {
            node = node?.member(name)
        }
        return node
    }
}
