import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// Opens stores for an arm, with its library and key.
///
/// Arms with names of their own begin with the name of a back end (`cipher/json1`), and are opened like it.
enum StorageArm {
    /// The store's file within a folder.
    static func file(in folder: String) -> String { folder + "/store.db" }

    /// The options of an arm's store; everything else has the store's defaults.
    ///
    /// - Throws: `libraryUnavailable` if the library is missing: the arm is then left out, and the report says why.
    static func options(of arm: Arm) throws(Fault) -> StoreOptions {
        switch arm.backend {
        case .plain, .floor: return StoreOptions(library: try SQLiteLibrary.find(.plain))
        case .cipherOff: return StoreOptions(library: try SQLiteLibrary.find(.cipher))
        case .cipher: return StoreOptions(library: try SQLiteLibrary.find(.cipher), key: try rawKey())
        case .passphrase:
            return StoreOptions(
                library: try SQLiteLibrary.find(.cipher), key: try Key(passphrase: "a benchmark has no secrets"))
        default: throw Fault(.unsupported, "the arm \(arm) has no storage")
        }
    }

    static func open(
        _ arm: Arm, in folder: String, change: (inout StoreOptions) -> Void = { _ in }
    ) throws(Fault) -> SmartStore {
        var options = try options(of: arm)
        change(&options)
        return try SmartStore(path: file(in: folder), options: options)
    }

    /// Opens a copy of a store that is filled once for all blocks and for all arms of a back end.
    ///
    /// - Parameter name: Contains everything that the content depends on except the back end.
    static func openCopy(
        of name: String, _ arm: Arm, _ workplace: Workplace, fill: (SmartStore) throws -> Void
    ) throws -> SmartStore {
        let folder = try workplace.copy(ofTemplate: name) { try make(arm, in: $0, fill) }
        return try open(arm, in: folder)
    }

    /// The folder of a store that is filled once for all blocks and for all arms of a back end, for work that only
    /// reads.
    static func filledFolder(
        _ name: String, _ arm: Arm, _ workplace: Workplace, fill: (SmartStore) throws -> Void
    ) throws -> String {
        try workplace.template(name) { try make(arm, in: $0, fill) }
    }

    private static func make(_ arm: Arm, in folder: String, _ fill: (SmartStore) throws -> Void) throws {
        let store = try open(arm, in: folder)
        try fill(store)
        try store.close()
    }

    /// Any 32 bytes: the cost of a key is measured, not its quality.
    private static func rawKey() throws(Fault) -> Key { try Key(raw: (0..<32).map { UInt8($0 * 7 + 1) }) }
}
