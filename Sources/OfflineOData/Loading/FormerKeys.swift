import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Finds the rows that wait for the entities of a set to get keys of the present form.
struct FormerKeys: Sendable {
    private let set: MappedEntitySet
    /// The names of the former keys that rows have.
    private let names: [[String]]

    /// Reads by which names rows wait; nil if no row waits. One look into the index for each list of names.
    init?(_ store: SmartStore, _ set: MappedEntitySet) throws(Fault) {
        guard try SoupRows(store, soup: set.soup).canFind(by: RowMember.key) else { return nil }
        self.set = set
        var names: [[String]] = []
        var from = FormerKey.first
        while let key = try Self.next(from, store, set) {
            names.append(key.names)
            from = key.endOfNames
        }
        guard !names.isEmpty else { return nil }
        self.names = names
    }

    private static func next(_ from: String, _ store: SmartStore, _ set: MappedEntitySet) throws(Fault) -> FormerKey? {
        let key = "{\(set.soup):\(RowMember.key)}"
        let found = try store.rows(
            "SELECT \(key) FROM {\(set.soup)} WHERE \(key) >= ? ORDER BY \(key)", arguments: [.text(from)], limit: 1)
        guard case .value(.text(let bytes))? = found.first?.first else { return nil }
        return FormerKey(text: String(decoding: bytes, as: UTF8.self))
    }

    /// The key texts that the row of an entity may have while it waits.
    func texts(for entity: ArrivedEntity) -> [String] {
        guard entity.deletion == nil else { return [] }
        return names.compactMap { FormerKey($0, of: entity.properties, set)?.text }
    }
}
