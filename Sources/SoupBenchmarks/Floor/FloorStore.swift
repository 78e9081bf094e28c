import Benchmarking
import OfflineStore
import SQLiteAccess
import SmartSQL
import Soups

/// Knows the statements and values that the store uses, so that the floor can run the same in direct calls.
///
/// A test records what the store runs, on each back end, and compares it with this, statement by statement, value by
/// value.
struct FloorStore {
    static let indexes: [IndexSpec] = [.string("key"), .string("category"), .string("name")]

    static let lookUp = "SELECT soup FROM TABLE_1 WHERE id = ?"
    static let allEntries = "SELECT soup FROM TABLE_1 ORDER BY id"

    let connection: Connection
    /// The only soup of a new store with these indexes.
    let soup: RegisteredSoup

    /// Opens a store's file without the store. No other library of this process may have it open.
    init(_ arm: Arm, in folder: String, indexes: [IndexSpec] = FloorStore.indexes) throws(Fault) {
        let options = try StorageArm.options(of: arm)
        connection = try Connection(
            path: StorageArm.file(in: folder), library: options.library, access: .readWrite, key: options.key,
            settings: options.settings)
        let specs = indexes.enumerated().map { index, spec in
            IndexSpec(path: spec.path, type: spec.type, columnName: spec.type.hasColumn ? "TABLE_1_\(index)" : nil)
        }
        let isFullText = specs.contains { $0.type == .fullText }
        soup = RegisteredSoup(
            spec: SoupSpec(name: StoreCorpus.soup), id: 1, indexSpecs: specs, fullTextVersion: isFullText ? .fts5 : nil)
    }

    static func ids(_ ids: [Int64]) -> FloorScript {
        let script = FloorScript()
        for id in ids {
            script.append(lookUp, [.integer(id)])
        }
        script.layOut()
        return script
    }
}
