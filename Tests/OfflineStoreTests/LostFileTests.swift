import FoundationEssentials
import Libc
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// A database file that is removed, renamed or replaced while a store has it open.
@Suite struct LostFileTests {
    /// A store with two entries that are still in the -wal, and next to it another store's file, closed, with one entry
    /// in another soup.
    private struct Scene {
        let setup: StoreFolder
        let store: SmartStore
        let newcomer: String
        let newcomersBytes: Data

        init(_ backEnd: BackEnd, journalMode: ConnectionSettings.JournalMode = .wal) throws {
            setup = try StoreFolder(backEnd)
            newcomer = setup.folder.file("new.db")
            let other = try SmartStore(path: newcomer, options: setup.options { $0.settings.journalMode = journalMode })
            try other.registerSoup("theirs", indexSpecs: [.string("k")])
            try other.upsert([#"{"k":"theirs"}"#.bytes], into: "theirs")
            try other.close()
            newcomersBytes = try Data(contentsOf: URL(filePath: newcomer))
            store = try setup.open { $0.settings.journalMode = journalMode }
            try store.registerSoup("ours", indexSpecs: [.string("k")])
            try store.upsert([#"{"k":"one"}"#.bytes, #"{"k":"two"}"#.bytes], into: "ours")
        }

        /// Renames the other store's file to the name of the open store's file.
        func replace() throws { #expect(rename(newcomer, setup.path) == 0) }

        /// Expects that the file under the store's name has not changed by a byte, and opens as the other store.
        func expectNewcomerUntouched(sourceLocation: SourceLocation = #_sourceLocation) throws {
            #expect(try Data(contentsOf: URL(filePath: setup.path)) == newcomersBytes, sourceLocation: sourceLocation)
            let opened = try setup.open()
            #expect(try opened.allSoupNames() == ["theirs"], sourceLocation: sourceLocation)
            #expect(try opened.count(.all(), soup: "theirs") == 1, sourceLocation: sourceLocation)
            try opened.close()
            #expect(try setup.texts("PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
        }
    }

    @Test(
        arguments: BackEnd.allCases,
        [ConnectionSettings.JournalMode.wal, .delete])
    func `a write into a replaced file is refused, and the file that replaced it stays as it is`(
        _ backEnd: BackEnd, _ mode: ConnectionSettings.JournalMode
    ) throws {
        try backEnd.skipIfMissing()
        let scene = try Scene(backEnd, journalMode: mode)
        let store = scene.store
        try scene.replace()
        let writes: [() throws -> Void] = [
            { try store.upsert(["{}".bytes], into: "ours") },
            { try store.registerSoup("t", indexSpecs: [.string("k")]) },
            { try store.remove(ids: [1], from: "ours") }, { try store.clearSoup("ours") },
            { try store.removeSoup("ours") },
            { try store.alterSoup("ours", indexSpecs: [.string("q")]) }, { try store.transaction { _ in } },
        ]
        for write in writes {
            #expect(faultCode(write) == .storeNotFound)
        }
        // A connection opened now would read the other file.
        #expect(faultCode { _ = try store.count(.all(), soup: "ours") } == .storeNotFound)
        let options = try scene.setup.options()
        #expect(faultCode { _ = try SmartStore(path: scene.setup.path, options: options) } == .storeNotFound)
        #expect(try Data(contentsOf: URL(filePath: scene.setup.path)) == scene.newcomersBytes)
        try store.close()
        try scene.expectNewcomerUntouched()
    }

    @Test(arguments: BackEnd.allCases)
    func `a store that never noticed leaves the file that replaced its own alone when it is released`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let (setup, newcomersBytes) = try {
            let scene = try Scene(backEnd)
            _ = try scene.store.count(.all(), soup: "ours")
            try scene.replace()
            // A reader that is open still reads the file it opened.
            #expect(try scene.store.count(.all(), soup: "ours") == 2)
            return (scene.setup, scene.newcomersBytes)
        }()
        #expect(try Data(contentsOf: URL(filePath: setup.path)) == newcomersBytes)
        #expect(try setup.open().allSoupNames() == ["theirs"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a store whose file was removed acknowledges nothing, and creates no other`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let scene = try Scene(backEnd)
        try FileManager.default.removeItem(atPath: scene.setup.path)
        let options = try scene.setup.options()
        #expect(faultCode { try scene.store.upsert(["{}".bytes], into: "ours") } == .storeNotFound)
        #expect(faultCode { _ = try scene.store.count(.all(), soup: "ours") } == .storeNotFound)
        #expect(faultCode { _ = try SmartStore(path: scene.setup.path, options: options) } == .storeNotFound)
        #expect(!FileManager.default.fileExists(atPath: scene.setup.path))
        try scene.store.reopen()
        #expect(try scene.store.allSoupNames() == [])
        try scene.store.registerSoup("again", indexSpecs: [.string("k")])
        try scene.store.close()
        #expect(try scene.setup.open().allSoupNames() == ["again"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a file that was only renamed keeps all that was acknowledged`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let scene = try Scene(backEnd)
        let elsewhere = scene.setup.folder.file("elsewhere.db")
        #expect(rename(scene.setup.path, elsewhere) == 0)
        #expect(faultCode { try scene.store.upsert(["{}".bytes], into: "ours") } == .storeNotFound)
        try scene.store.close()
        let opened = try SmartStore(path: elsewhere, options: scene.setup.options())
        #expect(try opened.count(.all(), soup: "ours") == 2)
    }

    /// SQLite writes on to the -wal without a name, which is lost if the process is killed.
    @Test(arguments: BackEnd.allCases, [false, true])
    func `a write after the -wal was removed or replaced is refused, and what was acknowledged is kept`(
        _ backEnd: BackEnd, _ isReplaced: Bool
    ) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String, isReplaced = isReplaced as Bool] in
            OtherProcessTests.finish {
                let store = try OtherProcessTests.open(path, name)
                try store.registerSoup("ours", indexSpecs: [.string("k")])
                try store.upsert([#"{"k":"one"}"#.bytes, #"{"k":"two"}"#.bytes], into: "ours")
                guard unlink(path + "-wal") == 0 else { return false }
                if isReplaced {
                    try Data("other".utf8).write(to: URL(filePath: path + "-wal"))
                }
                let codes = [
                    faultCode { try store.upsert([#"{"k":"lost"}"#.bytes], into: "ours") },
                    faultCode { try store.transaction { _ in try store.clearSoup("ours") } },
                    faultCode { try store.alterSoup("ours", indexSpecs: [.string("q")]) },
                ]
                // Ends without closing.
                leave(codes == Array(repeating: .storeNotFound, count: 3) ? 0 : 1)
            }
        }
        #expect(try setup.texts("PRAGMA integrity_check") == ["ok"])
        #expect(try setup.texts("SELECT count(*) FROM TABLE_1") == ["2"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a store whose -wal was removed works again when it is opened again`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let scene = try Scene(backEnd)
        try FileManager.default.removeItem(atPath: scene.setup.path + "-wal")
        #expect(faultCode { try scene.store.upsert(["{}".bytes], into: "ours") } == .storeNotFound)
        #expect(try scene.store.count(.all(), soup: "ours") == 2)
        try scene.store.reopen()
        try scene.store.upsert([#"{"k":"three"}"#.bytes], into: "ours")
        try scene.store.close()
        #expect(try scene.setup.open().count(.all(), soup: "ours") == 3)
    }

    @Test(arguments: BackEnd.allCases)
    func `a commit is not acknowledged if the file was replaced during it`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let scene = try Scene(backEnd)
        let code = faultCode {
            try scene.store.transaction { _ in
                try scene.store.upsert([#"{"k":"three"}"#.bytes], into: "ours")
                try scene.replace()
                try scene.store.upsert([#"{"k":"four"}"#.bytes], into: "ours")
            }
        }
        #expect(code == .storeNotFound)
        try scene.store.close()
        try scene.expectNewcomerUntouched()
    }

    @Test(arguments: BackEnd.allCases)
    func `a process that dies after it noticed leaves nothing that would be recovered into the new file`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let store = try OtherProcessTests.open(path, name)
                try store.registerSoup("ours", indexSpecs: [.string("k")])
                try store.upsert([#"{"k":"one"}"#.bytes], into: "ours")
                let other = try OtherProcessTests.open(path + ".new", name)
                try other.registerSoup("theirs", indexSpecs: [.string("k")])
                try other.close()
                guard rename(path + ".new", path) == 0 else { return false }
                let isRefused = faultCode { try store.upsert(["{}".bytes], into: "ours") } == .storeNotFound
                // Ends without closing.
                leave(isRefused ? 0 : 1)
            }
        }
        let opened = try OtherProcessTests.open(setup.path, backEnd.rawValue)
        #expect(try await opened.allSoupNames() == ["theirs"])
        try await opened.close()
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `a change of key does not touch a file that took the store's place`() throws {
        let scene = try Scene(.cipher)
        try scene.replace()
        #expect(faultCode { try scene.store.rekey(to: BackEnds.key(9)) } == .storeNotFound)
        try scene.store.close()
        try scene.expectNewcomerUntouched()
    }

    /// What another process writes into the new file goes through a -wal of the same name, which the open store still
    /// uses.
    @Test(arguments: BackEnd.allCases)
    func `what another process wrote into the new file survives the store that lost the old one`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let scene = try Scene(backEnd)
        try await scene.store.close()
        let path = scene.setup.path
        let name = backEnd.rawValue
        let childEnded = FileSignal(path + ".child-ended")
        // The other process, as the child below sees it: works with the new file from the moment that it is there.
        let other = OwnThread { () throws -> Int in
            defer { FileSignal(path + ".other-ended").raise() }
            guard FileSignal(path + ".ready").block(unless: childEnded) else {
                return -1
            }
            let ours = try OtherProcessTests.open(path, name)
            try LostFileTests.write(ours, from: 1, to: 20)
            FileSignal(path + ".go").raise()
            childEnded.block()
            try LostFileTests.write(ours, from: 21, to: 40)
            let count = try ours.count(.all(), soup: "theirs")
            try ours.close()
            return count
        }
        await #expect(processExitsWith: .exitCode(0)) {
            [path = path as String, newcomer = scene.newcomer as String, name = name as String] in
            OtherProcessTests.finish {
                let store = try OtherProcessTests.open(path, name)
                guard try store.count(.all(), soup: "ours") == 2, rename(newcomer, path) == 0 else {
                    return false
                }
                FileSignal(path + ".ready").raise()
                guard FileSignal(path + ".go").block(unless: FileSignal(path + ".other-ended")) else { return false }
                let isRefused = faultCode { try store.upsert(["{}".bytes], into: "ours") } == .storeNotFound
                try store.close()
                return isRefused
            }
        }
        childEnded.raise()
        #expect(try await other.value() == 41)
        #expect(try scene.setup.texts("PRAGMA integrity_check") == ["ok"])
        #expect(try scene.setup.texts("SELECT count(*) FROM TABLE_1") == ["41"])
    }

    private static func write(_ store: SmartStore, from first: Int, to last: Int) throws {
        for number in first...last {
            try store.upsert(["{\"k\":\"\(number)\"}".bytes], into: "theirs")
        }
    }
}
