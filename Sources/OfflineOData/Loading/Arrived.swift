/// An entity of the set of a load, as its pages bring it.
enum Arrived {
    case entity(ArrivedEntity)
    case row(ArrivedRow)

    /// The entity.
    func entity() throws(Fault) -> ArrivedEntity {
        switch self {
        case .entity(let entity): entity
        case .row(let row): try row.entity()
        }
    }

    /// The key text.
    var key: String {
        switch self {
        case .entity(let entity): entity.key
        case .row(let row): row.key
        }
    }
}
