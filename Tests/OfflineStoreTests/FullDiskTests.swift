import FoundationEssentials
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// A disk without a free byte, with a -wal that a crash left.
@Suite(.enabled(if: SmallDisk.isPossible, "a file system can be mounted by root on Linux only"))
struct FullDiskTests {
    private static let text = String(repeating: "x", count: 3000)

    private static func entries(_ numbers: ClosedRange<Int>) -> [[UInt8]] {
        numbers.map { "{\"k\":\"\($0)\",\"t\":\"\(text)\"}".bytes }
    }

    /// A store as a crash leaves it, alone on a disk that is full: 200 entries in the file, and in the -wal changes to
    /// 50 of them.
    ///
    /// - Parameters:
    ///   - withIndex: Whether there is a -shm too, as after a crash; without it as after copying.
    ///   - growing: Adds 10 entries to the -wal, for which the file has no room.
    private func crashedStore(
        _ backEnd: BackEnd, withIndex: Bool, growing: Bool = false
    ) throws -> (
        disk: SmallDisk, path: String
    ) {
        let live = try StoreFolder(backEnd)
        let store = try live.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.upsert(Self.entries(1...200), into: "s")
        try live.look { try $0.checkpoint() }
        try store.upsert(Self.entries(1...50), into: "s", externalIdPath: "k")
        if growing {
            try store.upsert(Self.entries(201...210), into: "s")
        }
        let disk = try SmallDisk(megabytes: 4)
        let path = disk.folder.file("store.db")
        for suffix in ["", "-wal"] + (withIndex ? ["-shm"] : []) {
            try FileManager.default.copyItem(atPath: live.path + suffix, toPath: path + suffix)
        }
        try store.close()
        disk.fill()
        return (disk, path)
    }

    @Test(arguments: BackEnd.allCases, [true, false])
    func `a store with a left-over -wal opens, shows what was acknowledged, and lets entries be removed`(
        _ backEnd: BackEnd, _ withIndex: Bool
    ) throws {
        try backEnd.skipIfMissing()
        let (disk, path) = try crashedStore(backEnd, withIndex: withIndex)
        let store = try OtherProcessTests.open(path, backEnd.rawValue)
        #expect(try store.count(.all(), soup: "s") == 200)
        #expect(faultCode { try store.upsert(Self.entries(1000...2000), into: "s") } == .diskFull)
        try store.remove(ids: Array(1...20), from: "s")
        #expect(try store.count(.all(), soup: "s") == 180)
        try store.close()
        disk.makeRoom()
        try expectSound(path, backEnd, count: 180)
    }

    /// Neither the file nor the -wal can take another page.
    @Test(
        arguments: BackEnd.allCases,
        [true, false])
    func `where nothing can be written at all the store is still read, and nothing is lost`(
        _ backEnd: BackEnd, _ withIndex: Bool
    ) throws {
        try backEnd.skipIfMissing()
        let (disk, path) = try crashedStore(backEnd, withIndex: withIndex, growing: true)
        if withIndex {
            let store = try OtherProcessTests.open(path, backEnd.rawValue)
            #expect(try store.count(.all(), soup: "s") == 210)
            #expect(faultCode { try store.remove(ids: Array(1...20), from: "s") } == .diskFull)
            try store.close()
        } else {
            #expect(faultCode { _ = try OtherProcessTests.open(path, backEnd.rawValue) } == .diskFull)
            let store = try OtherProcessTests.open(path, backEnd.rawValue, access: .readOnly)
            #expect(try store.count(.all(), soup: "s") == 210)
            try store.close()
        }
        disk.makeRoom()
        try expectSound(path, backEnd, count: 210)
    }

    private func expectSound(_ path: String, _ backEnd: BackEnd, count: Int) throws {
        let store = try OtherProcessTests.open(path, backEnd.rawValue)
        try store.upsert(Self.entries(300...301), into: "s")
        #expect(try store.count(.all(), soup: "s") == count + 2)
        try store.close()
        let connection = try backEnd.connect(path)
        #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher)), arguments: [true, false])
    func `a wrong key is a wrong key on a full disk too, and changes no byte`(_ withIndex: Bool) throws {
        let (disk, path) = try crashedStore(.cipher, withIndex: withIndex)
        let before = try FolderListing(disk.path)
        let library = try BackEnd.cipher.library()
        for key in [try BackEnds.key(99), try Key(passphrase: "guess")] {
            for access in [ConnectionAccess.create, .readWrite, .readOnly] {
                var options = StoreOptions(library: library, key: key)
                options.access = access
                #expect(faultCode { _ = try SmartStore(path: path, options: options) } == .wrongKey)
            }
        }
        #expect(try FolderListing(disk.path) == before)
    }

    @Test(arguments: BackEnd.allCases, [true, false])
    func `a full disk does not prevent reading only`(_ backEnd: BackEnd, _ withIndex: Bool) throws {
        try backEnd.skipIfMissing()
        let (disk, path) = try crashedStore(backEnd, withIndex: withIndex)
        let before = try FolderListing(disk.path)
        let store = try OtherProcessTests.open(path, backEnd.rawValue, access: .readOnly)
        #expect(try store.count(.all(), soup: "s") == 200)
        try store.close()
        #expect(try FolderListing(disk.path) == before)
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher)))
    func `a change of key that finds no room is diskFull, and the old key stays`() throws {
        let disk = try SmallDisk(megabytes: 4)
        let path = disk.folder.file("store.db")
        let filling = try OtherProcessTests.open(path, BackEnd.cipher.rawValue)
        try filling.registerSoup("s", indexSpecs: [.string("k")])
        try filling.upsert(Self.entries(1...200), into: "s")
        try filling.close()
        let store = try OtherProcessTests.open(path, BackEnd.cipher.rawValue)
        for room in stride(from: 64_000, through: 576_000, by: 64_000) {
            disk.fill(leaving: room)
            #expect(faultCode { try store.rekey(to: BackEnds.key(9)) } == .diskFull, "with \(room) bytes free")
            #expect(try store.count(.all(), soup: "s") == 200)
        }
        disk.makeRoom()
        try store.rekey(to: BackEnds.key(9))
        #expect(try store.count(.all(), soup: "s") == 200)
        try store.close()
    }

    /// A page was cut off in the middle while there was a rollback journal: the key can only be tried with the journal,
    /// on a copy elsewhere.
    @Test(.enabled(if: BackEnds.available.contains(.cipher)))
    func `a first page that was cut off is restored on a full disk too`() throws {
        let live = try StoreFolder(.cipher)
        let settings = ConnectionSettings(journalMode: .delete, cacheSize: 1 << 10)
        let writer = try BackEnd.cipher.connect(live.path, settings: settings)
        try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(200000))")
        try writer.execute("BEGIN IMMEDIATE; CREATE TABLE u (b); UPDATE t SET a = randomblob(200000)")
        let disk = try SmallDisk(megabytes: 4)
        let path = disk.folder.file("store.db")
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: live.path + suffix, toPath: path + suffix)
        }
        try writer.execute("ROLLBACK")
        var bytes = try Data(contentsOf: URL(filePath: path))
        for index in 100..<200 {
            bytes[index] ^= 0x5A
        }
        try bytes.write(to: URL(filePath: path))
        disk.fill()
        let before = try FolderListing(disk.path)
        let library = try BackEnd.cipher.library()
        let wrong = try BackEnds.key(99)
        #expect(faultCode { _ = try Connection(path: path, library: library, key: wrong) } == .wrongKey)
        #expect(try FolderListing(disk.path).files == before.files)
        let opened = try BackEnd.cipher.connect(path, settings: ConnectionSettings(journalMode: .delete))
        #expect(try opened.integer("SELECT count(*) FROM t WHERE a = zeroblob(200000)") == 1)
    }
}
