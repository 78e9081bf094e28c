/// An entity of the set of a load, as its pages bring it.
enum Arrived {
    case entity(ArrivedEntity)
    case row(ArrivedRow)

    /// The key text.
    var key: String {
        switch self {
        case .entity(let entity): entity.key
        case .row(let row): row.key
        }
    }
}
