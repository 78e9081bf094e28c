import Soups

/// Puts the members of entities and complex values in the order in which a model declares them.
struct ModelOrder {
    let model: EdmModel
    /// The position of each property by its name, for each type.
    private var positions: [ByteKey: [ByteKey: Int]] = [:]

    init(_ model: EdmModel) { self.model = model }

    /// The members of a type, also inside of them; those that the model does not declare last, in the given order.
    /// O(n log n) in the number of members.
    mutating func sorted(_ members: [ChangeValue.Member], of type: String) -> [ChangeValue.Member] {
        let positions = positions(of: type)
        let keyed = members.enumerated().map { member in
            (position: positions[ByteKey(member.element.name)] ?? positions.count, offset: member.offset)
        }
        var sorted: [ChangeValue.Member] = []
        for key in keyed.sorted(by: { ($0.position, $0.offset) < ($1.position, $1.offset) }) {
            let member = members[key.offset]
            sorted.append(.init(name: member.name, value: self.sorted(member.value)))
        }
        return sorted
    }

    private mutating func sorted(_ value: ChangeValue) -> ChangeValue {
        switch value {
        case .complex(let type, let isDerived, let members):
            return .complex(type: type, isDerived: isDerived, members: sorted(members, of: type))
        case .collection(let type, let items):
            guard items.contains(where: \.hasMembers) else {
                return value
            }
            var sorted: [ChangeValue] = []
            for item in items {
                sorted.append(self.sorted(item))
            }
            return .collection(of: type, sorted)
        case .stated(let type, let value): return .stated(type, sorted(value))
        case .null, .primitive, .enumeration, .related, .shape, .untyped: return value
        }
    }

    private mutating func positions(of type: String) -> [ByteKey: Int] {
        if let known = positions[ByteKey(type)] {
            return known
        }
        let names = model.properties(of: type).map(\.name)
        let found = Dictionary(names.enumerated().map { (ByteKey($0.element), $0.offset) }) { first, _ in first }
        positions[ByteKey(type)] = found
        return found
    }
}

extension ChangeValue {
    /// Whether the value has properties, or may have values inside that do.
    fileprivate var hasMembers: Bool {
        switch self {
        case .complex, .collection, .stated: true
        case .null, .primitive, .enumeration, .related, .shape, .untyped: false
        }
    }
}
