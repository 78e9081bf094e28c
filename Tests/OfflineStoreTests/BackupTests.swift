import FoundationEssentials
import Platform
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Copies of a store that is in use: APP-50.
@Suite struct BackupTests {
    /// The key of a copy.
    enum Kind: String, CaseIterable, Sendable {
        case same, plain, other

        func key() throws -> CopyKey {
            switch self {
            case .same: .same
            case .plain: .plain
            case .other: .key(try BackEnds.key(50), CipherSettings(kdfIterations: 4000))
            }
        }
    }

    /// The files of its entries would have to be written again, and its rows have no table that says which they are.
    @Test(arguments: [AlterationStep.renameOldSoupTable, .registerSoupUsingTableName, .copyTable])
    func `a copy with other encryption is busy while the alteration of external entries is unfinished`(
        _ step: AlterationStep
    ) throws {
        try BackEnd.cipher.skipIfMissing()
        let filled = try FilledStore(.cipher)
        let count = try filled.store.count(.all(), soup: "x")
        try filled.store.alterSoup("x", indexSpecs: [.integer("n")], reIndexData: true, until: step)
        #expect(faultCode { _ = try filled.store.backupNow(to: filled.copy, key: .plain) } == .busy)
        #expect(!File.exists(filled.copy))
        // With the same key it goes on in the copy, which says what it has.
        let summary = try filled.store.backupNow(to: filled.copy, key: .same)
        let external = summary.soups.first { $0.name == "x" }
        #expect(external == nil || external?.entries == count)
        let copy = try filled.openCopy()
        #expect(try copy.count(.all(), soup: "x") == count)
        #expect(try copy.integrityCheckNow().isSound)
    }

    @Test(arguments: BackEnd.allCases, Kind.allCases)
    func `a copy has every entry, column, text and file of the store, and is sound`(
        _ backEnd: BackEnd, _ kind: Kind
    ) throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd)
        let needsCipher = kind == .other || (kind == .plain && backEnd == .cipher)
        guard !needsCipher || backEnd != .plain else {
            return #expect(
                faultCode { _ = try filled.store.backupNow(to: filled.copy, key: kind.key()) } == .encryptionUnavailable
            )
        }
        let summary = try filled.store.backupNow(to: filled.copy, key: kind.key())
        #expect(summary.soups.map(\.name) == ["s", "x"])
        #expect(summary.soups.map(\.entries) == [20, 5])
        let copy = try filled.openCopy(try kind.key())
        #expect(try FilledStore.contents(copy) == FilledStore.contents(filled.store))
        #expect(try copy.integrityCheckNow().isSound)
        #expect(try copy.databaseSize() >= summary.bytes)
        // It is a store of its own.
        try copy.upsert([FilledStore.entry(100)], into: "x")
        try copy.removeSoup("s")
        #expect(try filled.store.count(.all(), soup: "s") == 20)
        #expect(try filled.store.integrityCheckNow().isSound)
        try copy.close()
        try filled.store.close()
        #expect(
            Folder.names(in: filled.setup.folder.path).sorted() == [
                "copy.db", "copy.db_external_soup_blobs", "store.db", "store.db_external_soup_blobs",
            ])
    }

    /// Another process writes a version before its commit and removes it after the next one. The name in the way stands
    /// for one that goes between the look into the folder and the link: nothing of it is needed.
    @Test(arguments: [BackEnd.plain, .cipher])
    func `a copy has the files that its rows name, and no others`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd)
        let folder = try filled.store.reading { (session) throws(Fault) in
            try session.elements().folder(ofTable: session.soup("x").id)
        }
        try File.create(folder + "/soupelt_900_900")
        try FileManager.default.createDirectory(
            atPath: folder + "/soupelt_901_901", withIntermediateDirectories: false)
        _ = try filled.store.backupNow(to: filled.copy)
        var options = try filled.setup.options()
        options.access = .readOnly
        let copy = try SmartStore(path: filled.copy, options: options)
        #expect(try copy.integrityCheckNow().findings == [])
        try copy.close()
    }

    @Test(arguments: BackEnd.allCases)
    func `a store is written to while it is copied, and the copy has one state`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd, entries: 3000)
        let before = try blocking { try FilledStore.contents(filled.store) }
        let commits = Mutex(0)
        let summary = try await filled.store.backup(to: filled.copy) { progress in
            guard progress.phase == .checking || progress.done > 0 else { return }
            let number = commits.withLock { count in
                count += 1
                return count
            }
            // On the thread that copies: nobody waits for the end of the copy.
            _ = try? filled.store.upsert([FilledStore.entry(5000 + number)], into: "x")
            _ = try? filled.store.remove(ids: [Int64(number)], from: "s")
        }
        let count = commits.withLock { $0 }
        #expect(count > 0)
        #expect(summary.soups.map(\.entries) == [3000, 5])
        try blocking {
            #expect(try filled.store.count(.all(), soup: "s") == 3000 - count)
            let copy = try filled.openCopy()
            #expect(try FilledStore.contents(copy) == before)
            try copy.close()
        }
    }

    @Test(arguments: [BackEnd.plain, .cipher])
    func `a copy that is cancelled, and one that fails, leave nothing and the store as it was`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd)
        for phase in [CopyProgress.Phase.copying, .checking] {
            let (started, cancelled) = (Signal(), Signal())
            let task = Task {
                try await filled.store.backup(to: filled.copy) { progress in
                    guard progress.phase == phase else { return }
                    started.raise()
                    cancelled.block()
                }
            }
            try await started.wait()
            task.cancel()
            cancelled.raise()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(Folder.names(in: filled.setup.folder.path).filter { $0.hasPrefix("copy") } == [])
        }
        try blocking {
            let missing = filled.setup.folder.file("missing/copy.db")
            #expect(faultCode { _ = try filled.store.backupNow(to: missing) } != nil)
            try filled.store.transaction { _ in
                #expect(faultCode { _ = try filled.store.backupNow(to: filled.copy) } == .busy)
            }
            #expect(try filled.store.integrityCheckNow().isSound)
        }
    }

    @Test func `a name that is taken stays as it is`() throws {
        let filled = try FilledStore(.plain)
        for taken in [filled.copy, filled.copy + "_external_soup_blobs", filled.copy + "-wal"] {
            try File.create(taken, "mine".bytes)
            #expect(faultCode { _ = try filled.store.backupNow(to: filled.copy) } == .inputOutput)
            #expect(try File.read(taken) == "mine".bytes)
            File.remove(taken)
        }
        _ = try filled.store.backupNow(to: filled.copy)
    }

    @Test func `what a killed process left of a copy goes with the next one, and that of a living one stays`() throws {
        let filled = try FilledStore(.plain)
        let folder = filled.copy + ".partial"
        try Folder.make(folder)
        try File.create(folder + "/store.db", "half a copy".bytes)
        let lock = try #require(try FolderLock(folder))
        #expect(faultCode { _ = try filled.store.backupNow(to: filled.copy) } == .busy)
        #expect(try File.read(folder + "/store.db") == "half a copy".bytes)
        lock.release()
        // Killed after the files of entries had their name.
        try Folder.make(filled.copy + "_external_soup_blobs")
        _ = try filled.store.backupNow(to: filled.copy)
        #expect(!File.exists(folder))
        #expect(try filled.openCopy().integrityCheckNow().isSound)
    }

    @Test func `a store that may not be written is copied too, unless it is encrypted`() throws {
        for backEnd in BackEnds.available {
            let filled = try FilledStore(backEnd)
            try filled.store.close()
            let store = try filled.setup.open { $0.access = .readOnly }
            if backEnd.isKeyed {
                #expect(faultCode { _ = try store.backupNow(to: filled.copy) } == .readOnly)
            } else {
                #expect(try store.backupNow(to: filled.copy).soups.map(\.entries) == [20, 5])
            }
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a file system can be mounted by root on Linux only"))
    func `a disk without room for a copy is diskFull before anything is written`() throws {
        let filled = try FilledStore(.plain, entries: 3000)
        let disk = try SmallDisk(megabytes: 1)
        let code = faultCode { _ = try filled.store.backupNow(to: disk.folder.file("copy.db")) }
        #expect(code == .diskFull)
        #expect(Folder.names(in: disk.path) == [])
    }

    @Test(arguments: BackEnd.allCases)
    func `a key-value store is copied, and opens with its values`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let values = try KeyValueStore(path: setup.path, options: setup.options())
        let long = [UInt8](repeating: 7, count: 200_000)
        try await values.set(long, for: "long")
        let summary = try await values.backup(to: setup.folder.file("copy.db"))
        #expect(summary.soups.isEmpty)
        try await values.removeAll()
        let copy = try KeyValueStore(path: setup.folder.file("copy.db"), options: setup.options())
        #expect(try await copy.data(for: "long") == long)
    }
}
