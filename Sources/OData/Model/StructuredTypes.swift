import Soups

/// The structured types of a model in one list. A chain of base types is followed by position, without looking up
/// names.
struct StructuredTypes: Sendable {
    private(set) var entries: [Entry] = []
    private var positions: [ByteKey: Int] = [:]

    /// A type with what a search needs. A class, so that a search copies no type.
    final class Entry: Sendable {
        let type: EdmStructuredType
        /// The position of the base type; nil without a base type in the model.
        let base: Int?
        /// Nil for a type with few members.
        fileprivate let members: MemberPositions?

        fileprivate init(type: EdmStructuredType, base: Int?, members: MemberPositions?) {
            self.type = type
            self.base = base
            self.members = members
        }

        /// Whether instances may have undeclared properties as far as this type says: those of a base type that is not
        /// in the model are not known.
        var isOpen: Bool { type.isOpen || type.baseType != nil && base == nil }
    }

    /// The maximum number of types in a chain that is followed.
    static let maximumInheritance = 64

    /// Adds a type under its qualified name, unless there is one.
    mutating func add(_ type: EdmStructuredType, named name: ByteKey) {
        guard positions[name] == nil else { return }
        positions[name] = entries.count
        entries.append(Entry(type: type, base: nil, members: MemberPositions(type)))
    }

    /// Finds the base types once all types are there.
    mutating func connect(_ resolve: (String) -> String) {
        for index in entries.indices {
            let entry = entries[index]
            guard let name = entry.type.baseType else { continue }
            let base = position(of: name) ?? position(of: resolve(name))
            entries[index] = Entry(type: entry.type, base: base, members: entry.members)
        }
    }

    /// The position of a type by its name as it is written.
    func position(of name: String) -> Int? { positions[ByteKey(name)] }

    /// The positions of a type and of its base types, the type first.
    func chain(from start: Int?) -> Chain { Chain(types: self, next: start) }

    /// Positions from a type to its root. A cycle ends with the longest chain that is followed.
    struct Chain: Sequence, IteratorProtocol {
        fileprivate let types: StructuredTypes
        fileprivate var upcoming: Int?
        private var count = 0

        fileprivate init(types: StructuredTypes, next: Int?) {
            self.types = types
            upcoming = next
        }

        mutating func next() -> Int? {
            guard let position = upcoming, count < StructuredTypes.maximumInheritance else { return nil }
            count += 1
            upcoming = types.entries[position].base
            return position
        }
    }
}

extension StructuredTypes.Entry {
    /// The property with a name that the type itself declares.
    func property(_ name: String) -> EdmProperty? { propertyPosition(name).map { type.properties[$0] } }

    /// The navigation property with a name that the type itself declares.
    func navigation(_ name: String) -> EdmNavigationProperty? { navigationPosition(name).map { type.navigation[$0] } }

    /// The type of the structural or navigation property with a name that the type itself declares.
    func memberType(_ name: String) -> EdmTypeReference? {
        if let position = propertyPosition(name) {
            return type.properties[position].type
        }
        return navigationPosition(name).map { type.navigation[$0].type }
    }

    /// Whether the type itself declares two members with one name.
    var hasRepeatedMembers: Bool {
        guard let members else {
            let names = type.properties.map(\.name) + type.navigation.map(\.name)
            return names.indices.contains { index in
                names[..<index].contains { $0.hasBytes(of: names[index]) }
            }
        }
        return members.properties.count < type.properties.count || members.navigation.count < type.navigation.count
            || type.navigation.contains { members.properties[ByteKey($0.name)] != nil }
    }

    private func propertyPosition(_ name: String) -> Int? {
        guard let members else {
            // By index, so that no property is copied.
            return type.properties.indices.first { type.properties[$0].name.hasBytes(of: name) }
        }
        return members.properties[ByteKey(name)]
    }

    private func navigationPosition(_ name: String) -> Int? {
        guard let members else {
            return type.navigation.indices.first { type.navigation[$0].name.hasBytes(of: name) }
        }
        return members.navigation[ByteKey(name)]
    }
}

/// The positions of the members of a type by name. A type with few members has no such index: a linear search is as
/// fast.
private struct MemberPositions {
    let properties: [ByteKey: Int]
    let navigation: [ByteKey: Int]

    init?(_ type: EdmStructuredType) {
        guard type.properties.count + type.navigation.count > 16 else { return nil }
        properties = Self.positions(type.properties.count) { type.properties[$0].name }
        navigation = Self.positions(type.navigation.count) { type.navigation[$0].name }
    }

    /// The positions of names; of a name that is there twice, the first.
    private static func positions(_ count: Int, _ name: (Int) -> String) -> [ByteKey: Int] {
        var positions: [ByteKey: Int] = Dictionary(minimumCapacity: count)
        for position in (0..<count).reversed() {
            positions[ByteKey(name(position))] = position
        }
        return positions
    }
}
