import FoundationEssentials
import Libc
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// How stores of two processes affect each other, and what a process may do to files of another user.
@Suite struct OtherProcessTests {
    @Test(arguments: BackEnd.allCases)
    func `a store whose lock another process holds is busy, and has changed nothing`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try blocking {
            let store = try setup.open()
            try store.registerSoup("s", indexSpecs: [.string("k")])
            try store.upsert([#"{"k":"ours"}"#.bytes], into: "s")
            return store
        }
        let holder = try backEnd.connect(setup.path, access: .readWrite)
        try holder.execute("BEGIN IMMEDIATE")
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name, patience: 20)
                let codes = [
                    faultCode { try other.upsert([#"{"k":"theirs"}"#.bytes], into: "s") },
                    faultCode { try other.registerSoup("t", indexSpecs: [.string("k")]) },
                    faultCode { try other.alterSoup("s", indexSpecs: [.integer("n")]) },
                    faultCode { try other.removeSoup("s") },
                ]
                // Reading is possible at the same time as the writer.
                return try codes.allSatisfy { $0 == .busy } && other.count(.all(), soup: "s") == 1
                    && other.allSoupNames() == ["s"]
            }
        }
        try holder.execute("COMMIT")
        holder.close()
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name, patience: 20)
                try other.upsert([#"{"k":"theirs"}"#.bytes], into: "s")
                return true
            }
        }
        #expect(try blocking { try store.count(.all(), soup: "s") } == 2)
    }

    @Test(arguments: BackEnd.allCases)
    func `a commit of another process counts for transactions that depend on a read`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let (store, before) = try blocking {
            let store = try setup.open()
            try store.registerSoup("s", indexSpecs: [.string("k")])
            try store.registerSoup("t", indexSpecs: [.string("k")])
            return (store, try store.read { $0.commit })
        }
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name)
                try other.upsert([#"{"k":"theirs"}"#.bytes], into: "t")
                return true
            }
        }
        func write(since state: CommitNumber) -> Fault.Code? {
            faultCode {
                try store.transaction { transaction in
                    try transaction.requireUnchanged(since: state, soups: ["s"])
                    try transaction.upsert([#"{"k":"ours"}"#.bytes], into: "s")
                }
            }
        }
        try blocking {
            // Which soup another process has changed is not known.
            #expect(write(since: before) == .conflict)
            let after = try store.read { $0.commit }
            #expect(write(since: after) == nil)
            #expect(try store.count(.all(), soup: "s") == 1)
            #expect(try store.count(.all(), soup: "t") == 1)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `another process writes to a store that is suspended here`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try blocking {
            let store = try setup.open()
            try store.registerSoup("s", indexSpecs: [.string("k")])
            try store.suspend()
            return store
        }
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name, patience: 20)
                try other.upsert([#"{"k":"theirs"}"#.bytes], into: "s")
                try other.registerSoup("added", indexSpecs: [.string("k")])
                return true
            }
        }
        try blocking {
            try store.resume()
            #expect(try store.count(.exact(path: "k", matchKey: "theirs"), soup: "s") == 1)
            #expect(try store.allSoupNames() == ["s", "added"])
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `an open store notices what another process did to its soups`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try blocking { try setup.open() }
        try blocking {
            try store.registerSoup("altered", indexSpecs: [.string("k")])
            try store.registerSoup("removed", indexSpecs: [.string("k")])
            try store.upsert([#"{"k":"a","n":1}"#.bytes], into: "altered")
            #expect(try store.count(.exact(path: "k", matchKey: "a"), soup: "altered") == 1)
            #expect(try store.count(.all(), soup: "removed") == 0)
        }
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name)
                try other.alterSoup("altered", indexSpecs: [.integer("n"), .fullText("t")], reIndexData: true)
                try other.removeSoup("removed")
                try other.registerSoup("added", indexSpecs: [.string("q")])
                try other.upsert([#"{"q":"theirs"}"#.bytes], into: "added")
                return true
            }
        }
        try blocking {
            #expect(try store.indexSpecs(ofSoup: "altered").map(\.path) == ["n", "t"])
            #expect(
                faultCode { _ = try store.count(.exact(path: "k", matchKey: "a"), soup: "altered") } == .pathNotIndexed)
            #expect(
                faultCode { _ = try store.runSmartQuery(.smart("select {altered:k} from {altered}")) }
                    == .pathNotIndexed)
            try store.upsert([#"{"n":2,"t":"words"}"#.bytes], into: "altered")
            #expect(try store.count(.range(path: "n", from: 1, through: 2), soup: "altered") == 2)
            #expect(try store.count(.match(path: "t", matchKey: "words"), soup: "altered") == 1)
            #expect(faultCode { try store.upsert(["{}".bytes], into: "removed") } == .soupNotFound)
            #expect(try store.count(.exact(path: "q", matchKey: "theirs"), soup: "added") == 1)
            #expect(try store.allSoupNames() == ["altered", "added"])
        }
    }

    /// Permissions do not apply to root, so the child first becomes another user. A file in WAL mode cannot be opened
    /// for writing if no -shm can be created next to it; one with a rollback journal can, and for reading only both
    /// can.
    @Test(arguments: BackEnd.allCases)
    func `in a folder that may not be written every write is readOnly, and nothing is changed`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        for mode in [ConnectionSettings.JournalMode.wal, .delete] {
            let setup = try StoreFolder(backEnd)
            try blocking {
                let store = try setup.open { $0.settings.journalMode = mode }
                try store.registerSoup("s", indexSpecs: [.string("k")])
                try store.upsert([#"{"k":"a"}"#.bytes], into: "s")
                try store.close()
            }
            let before = try Data(contentsOf: URL(filePath: setup.path))
            try setRights(0o444, setup.path)
            try setRights(0o555, setup.folder.path)
            defer { try? setRights(0o755, setup.folder.path) }
            await #expect(processExitsWith: .exitCode(0)) {
                [path = setup.path as String, name = backEnd.rawValue as String, mode = mode.rawValue as String] in
                OtherProcessTests.finish {
                    // The library is loaded while its folders are still readable.
                    _ = try BackEnd(rawValue: name)?.library()
                    if geteuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 {
                        return false
                    }
                    let mode = ConnectionSettings.JournalMode(rawValue: mode) ?? .wal
                    return try [ConnectionAccess.readOnly, .readWrite, .create].allSatisfy { access in
                        if mode == .wal, access != .readOnly {
                            let code = faultCode {
                                _ = try OtherProcessTests.open(path, name, access: access, mode: mode)
                            }
                            return code == .readOnly
                        }
                        let store = try OtherProcessTests.open(path, name, access: access, mode: mode)
                        return try store.count(.exact(path: "k", matchKey: "a"), soup: "s") == 1
                            && faultCode { try store.upsert(["{}".bytes], into: "s") } == .readOnly
                    }
                }
            }
            #expect(try Data(contentsOf: URL(filePath: setup.path)) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path) == ["store.db"])
        }
    }

    /// Its names cannot be brought to the disk by a user who may write the folder but not list it.
    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `a change of key in a folder that cannot be synchronized leaves the store open with the new key`() async throws
    {
        let setup = try StoreFolder(.cipher)
        try setRights(0o777, setup.folder.path)
        await #expect(processExitsWith: .exitCode(0)) {
            [folder = setup.folder.path as String] in
            OtherProcessTests.finish {
                _ = try BackEnd.cipher.library()
                if geteuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 {
                    return false
                }
                // In a folder of its own, for the user of this process.
                let own = folder + "/own"
                guard mkdir(own, 0o700) == 0 else { return false }
                let store = try OtherProcessTests.open(own + "/store.db", BackEnd.cipher.rawValue)
                try store.registerSoup("s", indexSpecs: [.string("k")])
                try store.upsert([#"{"k":"a"}"#.bytes], into: "s")
                guard chmod(own, 0o300) == 0 else { return false }
                let code = faultCode { try store.rekey(to: BackEnds.key(9)) }
                try store.upsert([#"{"k":"b"}"#.bytes], into: "s")
                guard try store.count(.all(), soup: "s") == 2, chmod(own, 0o700) == 0 else { return false }
                try store.close()
                var options = StoreOptions(library: try BackEnd.cipher.library(), key: try BackEnds.key(9))
                options.access = .readWrite
                let again = try SmartStore(path: own + "/store.db", options: options)
                return try code == .readOnly && again.count(.all(), soup: "s") == 2
            }
        }
    }

    private func setRights(_ rights: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
    }

    /// Calls the blocking forms from asynchronous code.
    private func blocking<R>(_ work: () throws -> R) rethrows -> R { try work() }

    /// Runs a child's work and ends it: with 0 if the result is true.
    static func finish(_ work: () throws -> Bool) -> Never {
        do { leave(try work() ? 0 : 1) } catch {
            print(error)
            leave(2)
        }
    }

    static func open(
        _ path: String, _ name: String, access: ConnectionAccess = .create, patience: Int = 300_000,
        mode: ConnectionSettings.JournalMode = .wal
    ) throws -> SmartStore {
        let backEnd = try #require(BackEnd(rawValue: name))
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        options.access = access
        options.settings.busyTimeout = patience
        options.settings.journalMode = mode
        return try SmartStore(path: path, options: options)
    }
}
