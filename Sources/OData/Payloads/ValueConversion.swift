/// How a node of an entry becomes a value of a Swift type. Finding it takes longer than using it.
enum ValueConversion {
    case foundation(FoundationValue)
    case convertible(any ODataConvertible.Type)
    /// With the initializer of the type.
    case decodable

    init(to type: Any.Type) {
        if let foundation = FoundationValue(type) {
            self = .foundation(foundation)
        } else if let convertible = type as? any ODataConvertible.Type {
            self = .convertible(convertible)
        } else {
            self = .decodable
        }
    }

    /// Whether the node is converted as a value; otherwise the type decodes it.
    func applies(to node: EntryNode) -> Bool {
        switch self {
        case .foundation: true
        case .convertible: node.entries == nil && node.entry == nil
        case .decodable: false
        }
    }

    /// The value of the type; nil if the node does not have one.
    func value(of node: EntryNode) -> Any? {
        guard let value = node.value else { return nil }
        return switch self {
        case .foundation(let foundation): foundation.value(value)
        case .convertible(let convertible): convertible.init(value)
        case .decodable: nil
        }
    }
}
