import FoundationEssentials
import Libc
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// A backup in the place of a store: APP-50.
@Suite struct RestoreTests {
    private func restore(
        _ filled: FilledStore, key: CopyKey = .same, from backup: String? = nil, replacing: Bool = true
    ) throws {
        let options = try filled.setup.options()
        try SmartStore.restoreNow(
            from: backup ?? filled.copy, key: options.key, to: filled.setup.path, storeKey: key, replacing: replacing,
            options: options)
    }

    /// A store that has changed since its backup was made, closed.
    private func changedStore(_ backEnd: BackEnd) throws -> (filled: FilledStore, backedUp: [String], now: [String]) {
        let filled = try FilledStore(backEnd)
        let backedUp = try FilledStore.contents(filled.store)
        _ = try filled.store.backupNow(to: filled.copy)
        try filled.store.upsert([FilledStore.entry(200)], into: "s")
        try filled.store.clearSoup("x")
        let now = try FilledStore.contents(filled.store)
        try filled.store.close()
        return (filled, backedUp, now)
    }

    @Test(arguments: BackEnd.allCases)
    func `the store is what the backup holds, and the backup stays as it is`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (filled, backedUp, _) = try changedStore(backEnd)
        let before = try FolderListing(filled.copy)
        try restore(filled)
        let store = try filled.setup.open()
        #expect(try FilledStore.contents(store) == backedUp)
        #expect(try store.integrityCheckNow().isSound)
        try store.close()
        #expect(try FolderListing(filled.copy) == before)
        #expect(Folder.names(in: filled.setup.folder.path).filter { $0.contains(".restor") } == [])
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `the store gets another key, a first one, or none`() throws {
        let other = try BackEnds.key(60)
        for (backEnd, key) in [(BackEnd.cipher, CopyKey.key(other)), (.cipherOff, .key(other)), (.cipher, .plain)] {
            let (filled, backedUp, _) = try changedStore(backEnd)
            try restore(filled, key: key)
            let store = try SmartStore(path: filled.setup.path, options: filled.setup.options().copied(with: key))
            #expect(try FilledStore.contents(store) == backedUp)
            #expect(try store.integrityCheckNow().isSound)
            try store.close()
            let found = try FilledStore.files(below: filled.setup.folder.path, with: FilledStore.marker)
            let ofStore = found.filter { $0.hasPrefix("store.db") }
            if case .plain = key {
                #expect(!ofStore.isEmpty)
            } else {
                #expect(ofStore.isEmpty, "\(ofStore)")
            }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `a backup that is damaged, missing or of another key leaves the store as it was`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (filled, _, now) = try changedStore(backEnd)
        #expect(faultCode { try restore(filled, from: filled.copy + "-missing") } == .storeNotFound)
        #expect(faultCode { try restore(filled, replacing: false) } == .inputOutput)
        if backEnd.isKeyed {
            let code = faultCode {
                try SmartStore.restoreNow(
                    from: filled.copy, key: BackEnds.key(99), to: filled.setup.path, replacing: true,
                    options: filled.setup.options())
            }
            #expect(code == .wrongKey)
        }
        var bytes = try #require(try File.read(filled.copy))
        for offset in 8192..<8300 {
            bytes[offset] ^= 0x55
        }
        File.remove(filled.copy)
        try File.create(filled.copy, bytes)
        #expect(faultCode { try restore(filled) } != nil)
        let store = try filled.setup.open()
        #expect(try FilledStore.contents(store) == now)
        try store.close()
        #expect(Folder.names(in: filled.setup.folder.path).filter { $0.contains(".restor") } == [])
    }

    @Test(arguments: [BackEnd.plain, .cipher])
    func `a store that this process or another one has open is busy, and stays as it was`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let (filled, _, now) = try blocking { try changedStore(backEnd) }
        let store = try blocking { try filled.setup.open() }
        #expect(faultCode { try restore(filled) } == .busy)
        await #expect(processExitsWith: .exitCode(0)) {
            [path = filled.setup.path as String, copy = filled.copy as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let backEnd = try #require(BackEnd(rawValue: name))
                let options = StoreOptions(
                    library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
                return faultCode {
                    try SmartStore.restoreNow(
                        from: copy, key: options.key, to: path, replacing: true, options: options)
                } == .busy
            }
        }
        try blocking {
            #expect(try FilledStore.contents(store) == now)
            try store.close()
            #expect(Folder.names(in: filled.setup.folder.path).filter { $0.contains(".restor") } == [])
        }
    }

    // MARK: - What is left over

    @Test func `what a killed restoration left is removed at the next opening, and that of a living one stays`() throws
    {
        let (filled, _, now) = try changedStore(.plain)
        let folder = filled.setup.path + ".restoring"
        try Folder.make(folder)
        try File.create(folder + "/store.db", "half a copy".bytes)
        let lock = try #require(try FolderLock(folder))
        let store = try filled.setup.open()
        #expect(try File.read(folder + "/store.db") == "half a copy".bytes)
        try store.close()
        // Reading only changes nothing.
        lock.release()
        let reader = try filled.setup.open { $0.access = .readOnly }
        #expect(File.exists(folder))
        try reader.close()
        let again = try filled.setup.open()
        #expect(!File.exists(folder))
        #expect(try FilledStore.contents(again) == now)
    }

    @Test(arguments: [BackEnd.plain, .cipher])
    func `a restoration that was cut after it had decided is finished by the next opening for writing`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let (filled, backedUp, _) = try changedStore(backEnd)
        let folder = filled.setup.path + ".restored"
        try Folder.make(folder)
        try File.copy(filled.copy, to: folder + "/store.db")
        try File.rename(filled.copy + "_external_soup_blobs", to: folder + "/store.db_external_soup_blobs")
        // The old -wal must not come to the new file.
        try File.create(filled.setup.path + "-wal", [UInt8](repeating: 1, count: 4096))
        #expect(faultCode { _ = try filled.setup.open { $0.access = .readOnly } } == .readOnly)
        let store = try filled.setup.open()
        #expect(try FilledStore.contents(store) == backedUp)
        #expect(try store.integrityCheckNow().isSound)
        #expect(!File.exists(folder))
    }

    @Test func `while one process moves the new files, another one that opens the store is busy`() throws {
        let (filled, backedUp, _) = try changedStore(.plain)
        let folder = filled.setup.path + ".restored"
        try Folder.make(folder)
        try File.copy(filled.copy, to: folder + "/store.db")
        let lock = try #require(try FolderLock(folder))
        #expect(faultCode { _ = try filled.setup.open() } == .busy)
        lock.release()
        let store = try filled.setup.open()
        #expect(try store.count(.all(), soup: "s") == 20)
        #expect(backedUp.count > 20)
    }

    @Test func `a key-value store is restored, and a cut restoration of one is finished when it is opened`() throws {
        let setup = try StoreFolder(.plain)
        let copy = setup.folder.file("copy.db")
        let values = try KeyValueStore(path: setup.path, options: setup.options())
        try values.set("old", for: "k")
        _ = try values.connections.backup(to: copy, key: .same, cancellation: nil, progress: nil)
        try values.set("new", for: "k")
        try values.close()
        try SmartStore.restoreNow(
            from: copy, key: nil, to: setup.path, replacing: true, options: setup.options())
        let restored = try KeyValueStore(path: setup.path, options: setup.options())
        #expect(try restored.string(for: "k") == "old")
        try restored.set("newer", for: "k")
        try restored.close()
        try Folder.make(setup.path + ".restored")
        try File.copy(copy, to: setup.path + ".restored/store.db")
        let again = try KeyValueStore(path: setup.path, options: setup.options())
        #expect(try again.string(for: "k") == "old")
    }
}
