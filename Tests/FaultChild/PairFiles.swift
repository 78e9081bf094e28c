import OfflineStore
import Platform
import SQLiteAccess
import Soups

/// The files of a trial of two processes.
enum PairFiles {
    /// The folder in which there may be nothing but the store in the end.
    static func stores(_ folder: String) -> String { folder + "/stores" }
    static func temporary(_ folder: String) -> String { folder + "/temporary" }
    static func store(_ folder: String) -> String { stores(folder) + "/store.db" }
    static func copy(_ folder: String, _ process: Int) -> String { "\(stores(folder))/copy-\(process).db" }
    static func log(_ folder: String, _ process: Int) -> String { "\(folder)/log-\(process)" }
    static func stopSign(_ folder: String) -> String { folder + "/stop" }
    static func quietSign(_ folder: String, _ process: Int) -> String { "\(folder)/quiet-\(process)" }
    static func lastSign(_ folder: String) -> String { folder + "/last" }

    static func write(seed: UInt64, _ folder: String) throws {
        try File.create(folder + "/seed", Array("\(seed)".utf8))
    }

    static func seed(_ folder: String) throws -> UInt64 {
        UInt64(String(decoding: try File.read(folder + "/seed") ?? [], as: UTF8.self)) ?? 0
    }

    /// Opens the store under the key that it has now. The other process may change it at the same time.
    static func open(_ backEnd: BackEnd, _ folder: String) throws -> (SmartStore, key: UInt8) {
        var attempts = 0
        while true {
            for key: UInt8 in [7, 8] {
                do throws(Fault) {
                    return (try open(backEnd, path: store(folder), key: key), key)
                } catch {
                    attempts += 1
                    guard error.code == .wrongKey || error.code == .busy, attempts < 100 else {
                        throw error
                    }
                }
            }
            CurrentThread.sleep(.milliseconds(20))
        }
    }

    static func open(_ backEnd: BackEnd, path: String, key: UInt8) throws(Fault) -> SmartStore {
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try FaultChild.key(key) : nil)
        options.settings.busyTimeout = 30_000
        return try SmartStore(path: path, options: options)
    }

    /// Makes a backup, shows what it holds, and removes it.
    static func backUp(
        _ store: SmartStore, _ backEnd: BackEnd, _ folder: String, _ process: Int,
        _ show: (WritersContent) throws -> Void
    ) throws {
        let path = copy(folder, process)
        remove(path)
        _ = try store.backupNow(to: path, key: backEnd.isKeyed ? .key(FaultChild.key(9)) : .same)
        let opened = try open(backEnd, path: path, key: 9)
        guard try opened.integrityCheckNow().isSound else {
            throw PairFinding("a backup is not sound")
        }
        try show(WritersContent(opened))
        try opened.close()
        remove(path)
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "_external_soup_blobs"] {
            Folder.removeTree(path + suffix)
        }
    }
}
