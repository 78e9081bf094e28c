import FoundationEssentials
import Libc
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// `.readOnly` creates, changes and leaves no file.
@Suite struct ReadingOnlyTests {
    /// The files next to the database when it is opened.
    enum LeftOver: String, CaseIterable, Sendable {
        case nothing, log, logAndIndex
    }

    /// A name whose every character would mean something in a URI.
    private static let name = "store ?#%41&=ü.db"

    /// A closed store with two entries, one of them in a file of its own; with a left-over -wal only the -wal holds the
    /// entries.
    private func makeStore(_ backEnd: BackEnd, leaving leftOver: LeftOver, in folder: TemporaryFolder) throws -> String
    {
        let live = try StoreFolder(backEnd)
        let store = try live.open()
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        if leftOver != .nothing {
            try live.look { try $0.checkpoint() }
        }
        try store.upsert([#"{"k":"inside","t":"some words"}"#.bytes], into: "s")
        try store.upsert([#"{"k":"outside"}"#.bytes], into: "x")
        if leftOver == .nothing {
            try store.close()
        }
        let suffixes =
            switch leftOver {
            case .nothing: ["", "_external_soup_blobs"]
            case .log: ["", "_external_soup_blobs", "-wal"]
            case .logAndIndex: ["", "_external_soup_blobs", "-wal", "-shm"]
            }
        let path = folder.file(Self.name)
        // Copying the live files simulates a crash.
        for suffix in suffixes {
            try FileManager.default.copyItem(atPath: live.path + suffix, toPath: path + suffix)
        }
        try store.close()
        return path
    }

    /// Reads everything that can be read, through several connections.
    static func readsAll(_ path: String, _ name: String) throws -> Bool {
        let store = try OtherProcessTests.open(path, name, access: .readOnly)
        let cursor = try store.query(.match(matchKey: "words"), soup: "s")
        guard try cursor.moveToPage(0).count == 1 else { return false }
        guard try store.count(.exact(path: "k", matchKey: "inside"), soup: "s") == 1 else {
            return false
        }
        guard try store.retrieve(ids: [1], from: "x").count == 1 else { return false }
        guard faultCode({ try store.upsert(["{}".bytes], into: "s") }) == .readOnly else {
            return false
        }
        let second = try OtherProcessTests.open(path, name, access: .readOnly)
        guard try second.allSoupNames() == ["s", "x"] else { return false }
        try store.close()
        guard try second.count(.all(), soup: "x") == 1 else { return false }
        if name == BackEnd.cipher.rawValue {
            var options = StoreOptions(library: try BackEnd.cipher.library(), key: try BackEnds.key(99))
            options.access = .readOnly
            try second.close()
            guard faultCode({ _ = try SmartStore(path: path, options: options) }) == .wrongKey else {
                return false
            }
        }
        return true
    }

    @Test(arguments: BackEnd.allCases, LeftOver.allCases)
    func `the folder is the same before and after, byte for byte`(_ backEnd: BackEnd, _ leftOver: LeftOver) async throws
    {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let path = try makeStore(backEnd, leaving: leftOver, in: folder)
        let before = try FolderListing(folder.path)
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish { try ReadingOnlyTests.readsAll(path, name) }
        }
        #expect(try FolderListing(folder.path) == before)

        // Another user, who may write neither the files nor the folder. As root the child first becomes one.
        try before.setRights(files: 0o444, folders: 0o555)
        defer { try? before.setRights(files: 0o644, folders: 0o755) }
        let restricted = try FolderListing(folder.path)
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                // The library is loaded while its folders are still readable.
                _ = try BackEnd(rawValue: name)?.library()
                if geteuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 {
                    return false
                }
                return try ReadingOnlyTests.readsAll(path, name)
            }
        }
        #expect(try FolderListing(folder.path) == restricted)
        try before.setRights(files: 0o644, folders: 0o755)
        let store = try OtherProcessTests.open(path, backEnd.rawValue)
        #expect(try Self.count(store) == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `a store that another process has open is busy, unless it is read in place`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try SmartStore(path: setup.path, options: setup.options())
        try Self.prepare(store)
        // Only names: opening the files by hand would drop the locks of this process.
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: setup.folder.path).sorted()
        }
        let before = try names()
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                guard faultCode({ _ = try OtherProcessTests.open(path, name, access: .readOnly) }) == .busy else {
                    return false
                }
                let backEnd = try #require(BackEnd(rawValue: name))
                let settings = ConnectionSettings(readsInPlace: true)
                let connection = try backEnd.connect(path, access: .readOnly, settings: settings)
                return try connection.integer("SELECT count(*) FROM TABLE_1") == 1
            }
        }
        #expect(try names() == before)
        try Self.add(store)
        #expect(try Self.count(store) == 2)
    }

    private static func prepare(_ store: SmartStore) throws {
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try add(store)
    }

    private static func add(_ store: SmartStore) throws { try store.upsert([#"{"k":"a"}"#.bytes], into: "s") }

    private static func count(_ store: SmartStore) throws -> Int { Int(try store.count(.all(), soup: "s")) }

    @Test(
        arguments: BackEnd.allCases,
        LeftOver.allCases)
    func `a process that writes later is noticed, and no row is read that never was`(
        _ backEnd: BackEnd, _ leftOver: LeftOver
    ) async throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let path = try makeStore(backEnd, leaving: leftOver, in: folder)
        let name = backEnd.rawValue
        let childEnded = FileSignal(path + ".child-ended")
        let other = OwnThread { () throws -> Bool in
            defer { FileSignal(path + ".other-ended").raise() }
            guard FileSignal(path + ".ready").block(unless: childEnded) else { return false }
            let writer = try OtherProcessTests.open(path, name)
            try writer.upsert([#"{"k":"a"}"#.bytes], into: "s")
            try writer.close()
            FileSignal(path + ".go").raise()
            return true
        }
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String, name = name as String] in
            OtherProcessTests.finish {
                let store = try OtherProcessTests.open(path, name, access: .readOnly)
                guard try store.count(.all(), soup: "s") == 1 else { return false }
                FileSignal(path + ".ready").raise()
                guard FileSignal(path + ".go").block(unless: FileSignal(path + ".other-ended")) else { return false }
                guard faultCode({ _ = try store.count(.all(), soup: "s") }) == .busy else {
                    return false
                }
                guard faultCode({ _ = try OtherProcessTests.open(path, name, access: .readOnly) }) == .busy else {
                    return false
                }
                try store.close()
                // Now no process has it open.
                return try OtherProcessTests.open(path, name, access: .readOnly).count(.all(), soup: "s") == 2
            }
        }
        childEnded.raise()
        #expect(try await other.value())
    }

    @Test(arguments: BackEnd.allCases)
    func
        `opened after a writer of the same process it reads what that one writes; opened before, it keeps the writer out`(
            _ backEnd: BackEnd
        ) throws
    {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let writer = try setup.open()
        try Self.prepare(writer)
        let reader = try setup.open { $0.access = .readOnly }
        #expect(try Self.count(reader) == 1)
        try Self.add(writer)
        #expect(try Self.count(reader) == 2)
        try reader.close()
        try writer.close()
        let first = try setup.open { $0.access = .readOnly }
        #expect(try Self.count(first) == 2)
        #expect(faultCode { _ = try setup.open() } == .busy)
        #expect(
            faultCode {
                _ = try setup.open {
                    $0.settings.readsInPlace = true
                    $0.access = .readOnly
                }
            } == .busy)
        #expect(try Self.count(first) == 2)
        try first.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path) == ["store.db"])
        try Self.add(setup.open())
    }

    @Test(arguments: BackEnd.allCases)
    func `a transaction that was cut off in a rollback journal is not read over`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let live = try StoreFolder(backEnd)
        let settings = ConnectionSettings(journalMode: .delete, cacheSize: 1 << 10)
        let writer = try backEnd.connect(live.path, settings: settings)
        try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(200000))")
        try writer.execute("BEGIN IMMEDIATE; UPDATE t SET a = randomblob(200000); CREATE TABLE u (b)")
        let crashed = try StoreFolder(backEnd)
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: live.path + suffix, toPath: crashed.path + suffix)
        }
        try writer.execute("ROLLBACK")
        let before = try FolderListing(crashed.folder.path)
        #expect(before.names == ["store.db", "store.db-journal"])
        #expect(faultCode { _ = try crashed.open { $0.access = .readOnly } } == .readOnly)
        #expect(try FolderListing(crashed.folder.path) == before)
        try backEnd.connect(crashed.path, access: .readWrite).close()
        let reader = try backEnd.connect(crashed.path, access: .readOnly)
        #expect(try reader.integer("SELECT count(*) FROM t WHERE a = zeroblob(200000)") == 1)
    }
}
