import FoundationEssentials
import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

@Suite struct KeyValueStoreTests {
    static let all = BackEnd.allCases

    private static func open(
        _ folder: StoreFolder, _ change: (inout StoreOptions) -> Void = { _ in }
    ) throws -> KeyValueStore {
        try KeyValueStore(path: folder.path, options: folder.options(change))
    }

    @Test(arguments: all) func `values of every length come back, also after opening again`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let folder = try StoreFolder(backEnd)
        let seed = UInt64.random(in: .min ... .max)
        print("seed of the values: \(seed)")
        var random = SeededRandom(seed: seed)
        let lengths = [0, 1, 1000, 65_535, 65_536, 65_537, 131_072, 131_073, 300_000]
        var values: [String: [UInt8]] = [:]
        let store = try Self.open(folder)
        for length in lengths {
            values["\(length)"] = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        for (key, value) in values {
            try store.set(value, for: key)
        }
        try store.close()
        let again = try Self.open(folder)
        for (key, value) in values {
            #expect(try again.data(for: key) == value)
            #expect(try again.size(of: key) == Int64(value.count))
        }
        // A value that was in pieces leaves none.
        for key in values.keys {
            try again.set([1], for: key)
        }
        try again.close()
        #expect(try folder.texts("SELECT count(*) FROM kv_pieces") == ["0"])
    }

    /// A value of three full pieces, of which the condition removes some.
    @Test(arguments: ["number = 0", "number = 1", "number = 2", "number > 0", "true"])
    func `a value that lacks a piece is damaged, and is not given cut`(_ condition: String) throws {
        let folder = try StoreFolder(.plain)
        let store = try Self.open(folder)
        try store.set([UInt8](repeating: 7, count: 3 * 65_536), for: "a")
        try store.set("whole", for: "b")
        try store.set(from: ByteSource([UInt8](repeating: 8, count: 2 * 65_536)), for: "c")
        try store.close()
        try folder.look {
            try $0.execute(
                "DELETE FROM kv_pieces WHERE pieces = (SELECT pieces FROM kv WHERE key = 'a') AND \(condition)")
        }
        let again = try Self.open(folder)
        #expect(faultCode { _ = try again.data(for: "a") } == .corrupt)
        #expect(faultCode { _ = try again.size(of: "a") } == .corrupt)
        #expect(faultCode { _ = try again.source(for: "a") } == .corrupt)
        #expect(try again.string(for: "b") == "whole")
        #expect(try again.size(of: "c") == 2 * 65_536)
        try again.close()
        let checked = try SmartStore(path: folder.path, options: folder.options { $0.access = .readOnly })
        for depth in CheckDepth.allCases {
            #expect(try checked.integrityCheckNow(depth).findings.map(\.code) == [.valueIncomplete])
        }
        try checked.close()
        let mended = try Self.open(folder)
        try mended.set("x", for: "a")
        #expect(try mended.string(for: "a") == "x")
        try mended.close()
    }

    @Test func `a value of an earlier version, which has no length, comes back, and a gap in it is noticed`() throws {
        let folder = try StoreFolder(.plain)
        let value = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let store = try Self.open(folder)
        try store.set(value, for: "a")
        try store.close()
        try folder.look { try $0.execute("UPDATE kv SET value = NULL") }
        let again = try Self.open(folder)
        #expect(try again.data(for: "a") == value)
        #expect(try again.size(of: "a") == 200_000)
        try again.close()
        try folder.look { try $0.execute("DELETE FROM kv_pieces WHERE number = 1") }
        let damaged = try Self.open(folder)
        #expect(faultCode { _ = try damaged.data(for: "a") } == .corrupt)
        try damaged.close()
    }

    @Test func `a text that is not UTF-8 is a type mismatch`() throws {
        let store = try Self.open(StoreFolder(.plain))
        try store.set([0xFF], for: "a")
        #expect(faultCode { _ = try store.string(for: "a") } == .typeMismatch)
        #expect(try store.data(for: "a") == [0xFF])
        try store.set("text", for: "a")
        #expect(try store.string(for: "a") == "text")
        #expect(try store.string(for: "b") == nil)
    }

    @Test func `Swift values come back`() throws {
        struct Settings: Codable, Equatable {
            var theme: String
            var size: Int?
        }
        let store = try Self.open(StoreFolder(.plain))
        try store.set(encoding: Settings(theme: "dark", size: 3), for: "settings")
        #expect(try store.value(Settings.self, for: "settings") == Settings(theme: "dark", size: 3))
        #expect(try store.value(Settings.self, for: "other") == nil)
    }

    @Test(arguments: all) func `five megabytes go in and out piece by piece`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try Self.open(StoreFolder(backEnd))
        let length = 5 << 20
        func pattern(at offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 31 &+ offset >> 8) }
        var offset = 0
        try store.set(
            from: ByteSource { buffer in
                let count = min(buffer.count, length - offset, 10_000)
                for index in 0..<count {
                    buffer[index] = pattern(at: offset + index)
                }
                offset += count
                return count
            }, for: "long")
        #expect(try store.size(of: "long") == Int64(length))
        let source = try #require(try store.source(for: "long"))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 50_000, alignment: 1)
        defer { buffer.deallocate() }
        var read = 0
        while true {
            let count = try source.read(into: buffer)
            guard count > 0 else { break }
            #expect((0..<count).allSatisfy { buffer[$0] == pattern(at: read + $0) })
            read += count
        }
        #expect(read == length)
    }

    @Test func `a source that fails leaves the old value`() throws {
        let folder = try StoreFolder(.plain)
        let store = try Self.open(folder)
        try store.set("old", for: "a")
        var calls = 0
        let broken = ByteSource { buffer in
            calls += 1
            return calls < 4 ? buffer.count : -5
        }
        #expect(faultCode { try store.set(from: broken, for: "a") } == .inputOutput)
        #expect(try store.string(for: "a") == "old")
        try store.close()
        #expect(try folder.texts("SELECT count(*) FROM kv_pieces") == ["0"])
    }

    @Test func `a value that is replaced while it is read piece by piece fails, and is never mixed`() throws {
        let store = try Self.open(StoreFolder(.plain))
        try store.set([UInt8](repeating: 1, count: 200_000), for: "a")
        let source = try #require(try store.source(for: "a"))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        #expect(try source.read(into: buffer) == 65_536)
        try store.set([UInt8](repeating: 2, count: 200_000), for: "a")
        #expect(throws: (any Error).self) { try source.read(into: buffer) }
    }

    @Test(arguments: all) func `several calls are one transaction, and a part can be undone`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        struct Stop: Error {}
        let store = try Self.open(StoreFolder(backEnd))
        try store.set("1", for: "a")
        #expect(throws: Stop.self) {
            try store.transaction {
                try store.set("2", for: "a")
                try store.set("2", for: "b")
                throw Stop()
            }
        }
        #expect(try store.keys() == ["a"])
        try store.transaction {
            try store.set("3", for: "a")
            try? store.transaction {
                try store.remove("a")
                throw Stop()
            }
            #expect(try store.string(for: "a") == "3")
        }
        #expect(try store.string(for: "a") == "3")
    }

    @Test(arguments: all) func `what another store object writes is seen`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let folder = try StoreFolder(backEnd)
        let one = try Self.open(folder)
        let two = try Self.open(folder)
        try one.set("x", for: "a")
        #expect(try two.string(for: "a") == "x")
        try two.removeAll()
        #expect(try one.count() == 0)
    }

    @Test func `a change of key keeps the values`() throws {
        try BackEnd.cipher.skipIfMissing()
        let folder = try StoreFolder(.cipher)
        let store = try Self.open(folder)
        try store.set([UInt8](repeating: 3, count: 100_000), for: "long")
        try store.rekey(to: BackEnds.key(9))
        #expect(try store.size(of: "long") == 100_000)
        try store.close()
        #expect(faultCode { _ = try Self.open(folder) } == .wrongKey)
        let again = try Self.open(folder) { $0.key = try? BackEnds.key(9) }
        #expect(try again.data(for: "long")?.count == 100_000)
    }

    @Test func `no value or key of an encrypted store is readable in its files`() throws {
        try BackEnd.cipher.skipIfMissing()
        let folder = try StoreFolder(.cipher)
        let store = try Self.open(folder)
        let marker = "marker-of-a-secret"
        try store.set(marker + String(repeating: marker, count: 6000), for: marker)
        for file in try FolderListing(folder.folder.path).files.values {
            #expect(file.bytes?.firstRange(of: Array(marker.utf8)) == nil)
        }
        try store.close()
        for file in try FolderListing(folder.folder.path).files.values {
            #expect(file.bytes?.firstRange(of: Array(marker.utf8)) == nil)
        }
    }

    @Test func `a file that is removed underneath is a typed fault, and what is put there stays`() throws {
        let folder = try StoreFolder(.plain)
        let store = try Self.open(folder)
        try store.set("x", for: "a")
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(faultCode { try store.set("y", for: "a") } == .storeNotFound)
        #expect(faultCode { try store.removeAll() } == .storeNotFound)
    }

    @Test(arguments: all) func `other databases are refused and not changed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let folder = try StoreFolder(backEnd)
        let soups = try folder.open()
        try soups.registerSoup("a", indexSpecs: [.string("k")])
        try soups.close()
        #expect(faultCode { _ = try Self.open(folder) } == .corrupt)
        let again = try folder.open()
        #expect(try again.allSoupNames() == ["a"])
    }

    @Test func `a store of a later version is refused`() throws {
        let folder = try StoreFolder(.plain)
        try Self.open(folder).close()
        try folder.look { try $0.execute("PRAGMA user_version = 2") }
        #expect(faultCode { _ = try Self.open(folder) } == .storeNewerThanApp)
    }

    @Test func `a store that is opened for reading only reads, and refuses to write`() throws {
        let folder = try StoreFolder(.plain)
        let store = try Self.open(folder)
        try store.set("x", for: "a")
        try store.close()
        let before = try FolderListing(folder.folder.path)
        let reader = try Self.open(folder) { $0.access = .readOnly }
        #expect(try reader.string(for: "a") == "x")
        #expect(faultCode { try reader.set("y", for: "a") } == .readOnly)
        #expect(faultCode { try reader.remove("a") } == .readOnly)
        #expect(faultCode { try reader.transaction {} } == .readOnly)
        try reader.close()
        #expect(try FolderListing(folder.folder.path) == before)
    }

    @Test func `a closed store says so`() throws {
        let store = try Self.open(StoreFolder(.plain))
        try store.close()
        #expect(store.wasClosed)
        #expect(faultCode { _ = try store.data(for: "a") } == .closed)
        #expect(faultCode { try store.set("x", for: "a") } == .closed)
    }

    @Test func `no fault holds a key or a value`() throws {
        let store = try Self.open(StoreFolder(.plain))
        let marker = "secret-marker"
        for key in ["", marker + "\0", String(repeating: marker, count: 100)] {
            let fault = #expect(throws: Fault.self) { try store.set(marker, for: key) }
            #expect(fault.map { !"\($0) \(String(reflecting: $0))".contains(marker) } == true)
        }
        try store.set([0xFF] + Array(marker.utf8), for: marker)
        let fault = #expect(throws: Fault.self) { try store.string(for: marker) }
        #expect(fault.map { !"\($0)".contains(marker) } == true)
    }
}
