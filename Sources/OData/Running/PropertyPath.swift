import Soups

/// The path of a property with its declared type, as `groupby`, `aggregate` and `$expand` use it.
struct PropertyPath: Sendable {
    /// The names of the properties, without the types between them.
    let names: [String]
    /// The types in the path.
    private let casts: [Cast]
    /// The declared type of a single value at the end of the path.
    let type: StaticType
    /// Whether the first name is declared as a navigation property.
    let startsAtNavigation: Bool
    /// The offset of the path in the text of its option, if it is known.
    var offset: Int?

    /// A type that an instance must have. Nothing is found below another one (OData URL Conventions 4.01, 4.11).
    private struct Cast {
        /// The position of the name that follows.
        let position: Int
        let type: String
        /// The type that is declared for the instance.
        let declared: String?
        let model: EdmModel?
    }

    /// Creates a path from its text, which starts at an entity of the type.
    init(_ path: String, model: EdmModel?, entityType: String?) {
        var names: [String] = []
        var casts: [Cast] = []
        var owner = entityType
        var type = StaticType.unknown
        for segment in path.segments {
            if segment.utf8.contains(UInt8(ascii: ".")), segment.utf8.first != UInt8(ascii: "@") {
                casts.append(Cast(position: names.count, type: segment, declared: owner, model: model))
                owner = model?.resolve(segment) ?? segment
                continue
            }
            names.append(segment)
            let declared = owner.flatMap { model?.memberType(segment, of: $0) }
            owner = declared?.name
            type = declared.flatMap { declared in model.map { StaticType(declared, in: $0).element } } ?? .unknown
        }
        self.names = names
        self.casts = casts
        self.type = type
        let navigation = names.first.flatMap { name in entityType.flatMap { model?.navigation(name, of: $0) } }
        startsAtNavigation = navigation != nil
    }

    /// Whether two paths of the same names have the same types between them.
    func hasCasts(of other: PropertyPath) -> Bool {
        casts.elementsEqual(other.casts) { $0.position == $1.position && $0.type.hasBytes(of: $1.type) }
    }

    /// Whether the path has names and no types.
    var isPlain: Bool { casts.isEmpty && !names.isEmpty }

    /// Whether the path ends in a type, which what it leads to must have.
    var endsInType: Bool { casts.last?.position == names.count }

    /// Whether two paths lead to the same property. What it leads to may have another type.
    func leadsToProperty(of other: PropertyPath) -> Bool {
        let (mine, others) = (castsBeforeNames, other.castsBeforeNames)
        return names.elementsEqual(other.names) { $0.hasBytes(of: $1) }
            && mine.elementsEqual(others) { $0.position == $1.position && $0.type.hasBytes(of: $1.type) }
    }

    private var castsBeforeNames: [Cast] { casts.filter { $0.position < names.count } }

    /// Whether the instance at which a name is read has the types that the path has before it.
    private func passesCasts<Node: EntityNode>(_ node: Node, at position: Int) -> Bool {
        casts.allSatisfy { cast in
            cast.position != position || node.isInstance(of: cast.type, declared: cast.declared, in: cast.model)
        }
    }

    /// Whether the instance at which a name is read has the types that the path has before it, or an unknown type. The
    /// position after the last name is that of what the path leads to.
    func mayPassCasts<Node: EntityNode>(_ node: Node, at position: Int) -> Bool {
        casts.allSatisfy { cast in
            cast.position != position || node.mayBeInstance(of: cast.type, declared: cast.declared, in: cast.model)
        }
    }

    /// Calls a closure with each value at the end of the path: several if it leads through collections, and not at all
    /// if a name is missing.
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
        guard passesCasts(node, at: position), let member = node.member(names[position]) else { return }
        guard let elements = member.elements else {
            return try forEachTerm(below: member, from: position + 1, body)
        }
        for element in elements {
            try forEachTerm(below: element, from: position + 1, body)
        }
    }

    /// The node at the end of the path, which does not lead through collections; nil if a name is missing or an
    /// instance has another type.
    func node<Node: EntityNode>(in entity: Node) -> Node? {
        var node = entity
        for (position, name) in names.enumerated() {
            guard passesCasts(node, at: position), let member = node.member(name) else { return nil }
            node = member
        }
        return node
    }
}
