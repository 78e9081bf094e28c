import FoundationEssentials
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Clearing, removing and rolling back remove the files of external entries whose rows are gone, and no others.
@Suite
struct ExternalRemovalTests {
    static let spec = SoupSpec(name: "e", features: [.externalStorage])

    private struct Stop: Error {}

    private func setup(_ backEnd: BackEnd, entries: Int = 2) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup(Self.spec, indexSpecs: [.string("k")])
        try store.upsert((0..<entries).map(Self.entry), into: "e")
        return (setup, store)
    }

    static func entry(_ n: Int) -> [UInt8] { "{\"k\":\"k\(n)\"}".bytes }

    /// Expects that every row can be read, that there are as many files as rows, and that the next opening finds
    /// nothing to remove.
    private func expectWhole(_ setup: StoreFolder, _ store: SmartStore, _ keys: [String], soup: String = "e") throws {
        #expect(try store.count(.all(), soup: soup) == keys.count)
        let entries = try store.query(.all(orderPath: "k", pageSize: 1000), soup: soup).currentPage.entries
        let found = entries.map { String(decoding: $0.split(separator: UInt8(ascii: "\""))[3], as: UTF8.self) }
        #expect(found == keys)
        #expect(try store.externalStorage(ofSoup: soup).files == keys.count)
    }

    @Test(arguments: BackEnd.allCases)
    func `clearing and writing in one transaction keeps what was written`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.transaction { _ in
            try store.clearSoup("e")
            try store.upsert([Self.entry(8), Self.entry(9)], into: "e")
        }
        try expectWhole(setup, store, ["k8", "k9"])
        try store.transaction { _ in
            try store.upsert([Self.entry(10)], into: "e")
            try store.clearSoup("e")
            try store.upsert([Self.entry(11)], into: "e")
            try store.clearSoup("e")
            try store.upsert([Self.entry(12)], into: "e")
        }
        try expectWhole(setup, store, ["k12"])
        try store.alterSoup("e", indexSpecs: [.string("k"), .fullText("k2")])
        try expectWhole(setup, store, ["k12"])
    }

    @Test(arguments: BackEnd.allCases)
    func `an alteration to external storage that is rolled back leaves no file`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("e", indexSpecs: [.string("k")])
        try store.upsert([Self.entry(0), Self.entry(1)], into: "e")
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try store.alterSoup("e", soupSpec: Self.spec, indexSpecs: [.string("k")])
                throw Stop()
            }
        }
        let root = store.path + "_external_soup_blobs"
        #expect(Folder.size(below: root).files == 0)
        #expect(try store.count(.all(), soup: "e") == 2)
    }

    @Test(arguments: BackEnd.allCases)
    func `a soup moved in and out again in a transaction that is rolled back keeps its files`(_ backEnd: BackEnd) throws
    {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try store.alterSoup("e", soupSpec: SoupSpec(name: "e"), indexSpecs: [.string("k")])
                try store.alterSoup("e", soupSpec: Self.spec, indexSpecs: [.string("k")])
                throw Stop()
            }
        }
        try expectWhole(setup, store, ["k0", "k1"])
        try store.transaction { _ in
            try store.alterSoup("e", soupSpec: SoupSpec(name: "e"), indexSpecs: [.string("k")])
            try store.alterSoup("e", soupSpec: Self.spec, indexSpecs: [.string("k")])
        }
        try expectWhole(setup, store, ["k0", "k1"])
    }

    @Test(arguments: BackEnd.allCases)
    func `removing a soup and registering its name again in one transaction keeps what was written`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.transaction { _ in
            try store.removeSoup("e")
            try store.registerSoup(Self.spec, indexSpecs: [.string("k")])
            try store.upsert([Self.entry(7)], into: "e")
        }
        try expectWhole(setup, store, ["k7"])
        let folders = try FileManager.default.contentsOfDirectory(atPath: setup.path + "_external_soup_blobs").sorted()
        #expect(folders == ["TABLE_2"])
    }

    @Test(arguments: BackEnd.allCases)
    func `what is rolled back, whole or in part, loses no file and leaves none`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try store.clearSoup("e")
                try store.upsert([Self.entry(5)], into: "e")
                throw Stop()
            }
        }
        try expectWhole(setup, store, ["k0", "k1"])
        try store.transaction { _ in
            try store.upsert([Self.entry(2)], into: "e")
            for work in 0..<3 {
                do {
                    try store.transaction { _ in
                        if work == 0 {
                            try store.clearSoup("e")
                        }
                        if work == 1 {
                            try store.removeSoup("e")
                        }
                        if work == 2 {
                            try store.remove(ids: [1, 2, 3], from: "e")
                        }
                        throw Stop()
                    }
                } catch is Stop {}
            }
            try store.remove(ids: [1], from: "e")
        }
        try expectWhole(setup, store, ["k1", "k2"])
    }

    @Test(arguments: BackEnd.allCases)
    func `an entry changed twice, or removed and written again, in one transaction has its last file only`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.transaction { _ in
            try store.upsert([#"{"k":"a","_soupEntryId":1}"#.bytes, #"{"k":"b","_soupEntryId":1}"#.bytes], into: "e")
            try store.upsert([#"{"k":"c","_soupEntryId":1}"#.bytes], into: "e")
            try store.remove(ids: [2], from: "e")
            try store.upsert([#"{"k":"d","_soupEntryId":2}"#.bytes], into: "e")
        }
        try expectWhole(setup, store, ["c", "d"])
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try store.upsert([#"{"k":"lost","_soupEntryId":1}"#.bytes], into: "e")
                throw Stop()
            }
        }
        try expectWhole(setup, store, ["c", "d"])
    }

    /// Another program may have written it.
    @Test(arguments: BackEnd.allCases)
    func `an entry with the last date that there is can be changed and removed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.close()
        try setup.look { try $0.execute("UPDATE TABLE_1 SET lastModified = 9223372036854775807") }
        let again = try setup.open()
        try again.upsert([#"{"k":"new","_soupEntryId":1}"#.bytes], into: "e")
        try again.remove(ids: [2], from: "e")
        try expectWhole(setup, again, ["new"])
    }

    @Test
    func `a file of Mobile SDK's own name stays while its entry needs it, and goes with it`() throws {
        let (setup, store) = try setup(.plain, entries: 4)
        try store.close()
        let folder = setup.path + "_external_soup_blobs/TABLE_1/"
        let names = { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
        for name in try names() {
            let id = name.split(separator: "_")[1]
            let text = try #require(try File.read(folder + name))
            try File.replace(folder + "soupelt_\(id)", with: ElementTrailer.remove(from: text))
            try FileManager.default.removeItem(atPath: folder + name)
        }
        // A version that was never committed: removing it must not remove the entry's only file.
        try File.replace(folder + "soupelt_1_5", with: "left over".bytes)
        try File.replace(folder + "soupelt_77", with: "left over".bytes)
        let again = try setup.open { $0.clock = .stepping(from: 1_600_000_001_000) }
        #expect(try names() == ["soupelt_1", "soupelt_2", "soupelt_3", "soupelt_4"])
        #expect(throws: Stop.self) {
            try again.transaction { _ in
                try again.upsert([#"{"k":"lost","_soupEntryId":2}"#.bytes], into: "e")
                throw Stop()
            }
        }
        try expectWhole(setup, again, ["k0", "k1", "k2", "k3"])
        try again.upsert([#"{"k":"new","_soupEntryId":3}"#.bytes], into: "e")
        try again.remove(ids: [1], from: "e")
        #expect(try names() == ["soupelt_2", "soupelt_3_1600000001001", "soupelt_4"])
        try again.transaction { _ in
            try again.clearSoup("e")
            try again.upsert([Self.entry(6)], into: "e")
        }
        try expectWhole(setup, again, ["k6"])
    }

    /// A schema change inside a transaction makes the store forget which files it wrote: those written before must
    /// still reach the disk.
    @Test
    func `files written before the schema changes in the same transaction are brought to the disk`() throws {
        let (_, store) = try setup(.plain)
        try store.connections.write { (session, _) throws(Fault) in
            try session.transaction { () throws(Fault) in
                _ = try store.upsert([Self.entry(3)], into: "e")
                _ = try store.registerSoup("other", indexSpecs: [.string("k")])
                try session.refresh()
                #expect(session.touchedFolders.count == 1)
            }
            #expect(session.touchedFolders.isEmpty)
        }
    }

    /// A call that fails inside a transaction makes the store forget what it knows. What was written before it still
    /// counts, and the commit must not be acknowledged before the names in the folder are on the disk.
    @Test(arguments: BackEnd.allCases)
    func `folders written to before a failure that was caught are brought to the disk`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        let folder = "\(setup.path)_external_soup_blobs/TABLE_1"
        try store.transaction { _ in
            try store.upsert([Self.entry(2)], into: "e")
            #expect(faultCode { try store.upsert([Self.entry(3), "[".bytes], into: "e") } == .invalidEntry)
            try store.connections.write { (session, _) throws(Fault) in
                #expect(session.elementFiles == nil && session.touchedFolders == [folder])
            }
        }
        try expectWhole(setup, store, ["k0", "k1", "k2"])
        try store.connections.write { (session, _) throws(Fault) in
            #expect(session.touchedFolders.isEmpty)
        }
        // A folder that cannot be brought to the disk fails the commit, so it is really tried.
        let fault = faultCode {
            try store.transaction { _ in
                try store.upsert([Self.entry(4)], into: "e")
                #expect(faultCode { try store.upsert(["[".bytes], into: "e") } == .invalidEntry)
                try File.rename(folder, to: folder + "-away")
            }
        }
        #expect(fault == .inputOutput)
        try File.rename(folder + "-away", to: folder)
        #expect(try store.count(.all(), soup: "e") == 3)
        try store.upsert([Self.entry(5)], into: "e")
        #expect(try store.count(.all(), soup: "e") == 4)
    }

    @Test(arguments: BackEnd.allCases)
    func `one process clears, another writes: no entry without its file`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try await Threads.run {
            let store = try setup.open {
                $0.clock = .system
                $0.settings.durability = .relaxed
                $0.settings.busyTimeout = 300_000
            }
            try store.registerSoup(Self.spec, indexSpecs: [.string("k")])
            return store
        }
        let writing = Task {
            try await Threads.run {
                for n in 0..<400 {
                    let stored = try store.upsert([Self.entry(n), Self.entry(n)], into: "e")
                    #expect(stored.count == 2)
                    // What has not been cleared yet can be read.
                    _ = try store.query(.all(pageSize: 10), soup: "e")
                }
            }
        }
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name, patience: 300_000)
                for _ in 0..<200 {
                    try other.clearSoup("e")
                }
                return true
            }
        }
        try await writing.value
        try await Threads.run {
            try store.upsert([Self.entry(1)], into: "e")
            let count = try store.count(.all(), soup: "e")
            #expect(count > 0)
            #expect(try store.query(.all(pageSize: 10_000), soup: "e").currentPage.entries.count == count)
            #expect(try store.externalStorage(ofSoup: "e").files == count)
            try store.alterSoup("e", indexSpecs: [.string("k"), .integer("n")])
        }
    }
}
