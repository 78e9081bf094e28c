/// Says which keys of a key-value store were set or removed.
public enum KeyValueChange: Sendable, Hashable {
    /// These keys, sorted by their bytes.
    case keys([String])
    /// Perhaps every key: after `removeAll`, and for more than 1,000 keys in one delivery.
    case all

    private static let mostKeys = 1000

    /// One change with the keys of both.
    func merged(with other: KeyValueChange) -> KeyValueChange {
        guard case .keys(let first) = self, case .keys(let second) = other else {
            return .all
        }
        var keys = Set(first.map { Array($0.utf8) })
        keys.formUnion(second.map { Array($0.utf8) })
        guard keys.count <= Self.mostKeys else {
            return .all
        }
        let sorted = keys.sorted { $0.lexicographicallyPrecedes($1) }
        return .keys(sorted.map { String(decoding: $0, as: UTF8.self) })
    }
}
