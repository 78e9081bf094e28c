import FoundationEssentials
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Changing the key of a store.
@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
struct KeyChangeTests {
    @Test(arguments: [(1, 2), (nil, 3), (4, nil), (5, 5)] as [(UInt8?, UInt8?)])
    func `key to key, plain to key and key to plain: only the new one opens, everything is there`(
        _ old: UInt8?, _ new: UInt8?
    ) throws {
        let setup = try StoreFolder(.cipherOff)
        let store = try setup.open { $0.key = try? old.map { try BackEnds.key($0) } }
        try store.registerSoup("s", indexSpecs: [.string("k"), .json1("j"), .fullText("t")])
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.upsert((1...50).map { "{\"k\":\"\($0)\",\"j\":\($0),\"t\":\"marker words \($0)\"}".bytes }, into: "s")
        let outside = try store.upsert((1...3).map { "{\"k\":\"marker \($0)\"}".bytes }, into: "x")
        try store.remove(ids: [50], from: "s")
        try store.rekey(to: new.map { try BackEnds.key($0) })

        for reopened in [false, true] {
            if reopened {
                try store.reopen()
            }
            #expect(try store.count(.match(matchKey: "marker"), soup: "s") == 49)
            #expect(try store.count(.exact(path: "j", matchKey: 7), soup: "s") == 1)
            #expect(try store.retrieve(ids: [1, 2, 3], from: "x") == outside)
            #expect(store.isEncrypted == (new != nil))
        }
        #expect(try store.upsert(["{}".bytes], into: "s")[0].string.contains(#""_soupEntryId":51,"#))
        try store.close()

        let wrong = try setup.options { $0.key = try? old.map { try BackEnds.key($0 &+ 100) } }
        #expect(
            faultCode { _ = try SmartStore(path: setup.path, options: wrong) }
                == (old == nil ? (new == nil ? nil : .keyMissing) : (new == nil ? .notEncrypted : .wrongKey)))
        let files = Folder.names(in: setup.folder.path).sorted()
        #expect(files == ["store.db", "store.db_external_soup_blobs"])
        // The database and the files of entries contain the marker if, and only if, there is no key.
        let root = setup.path + "_external_soup_blobs"
        var contents = [try [UInt8](Data(contentsOf: URL(filePath: setup.path)))]
        for name in Folder.names(in: root) {
            for table in Folder.names(in: "\(root)/\(name)") {
                let path = "\(root)/\(name)/\(table)"
                for file in [path] + Folder.names(in: path).map({ "\(path)/\($0)" }) {
                    if let bytes = try? File.read(file) {
                        contents.append(bytes)
                    }
                }
            }
        }
        #expect(contents.count >= 4)
        #expect(contents.allSatisfy { ($0.firstRange(of: "marker".bytes) != nil) == (new == nil) })
        #expect(Folder.names(in: root).count == 1)
    }

    @Test
    func `another connection to the store keeps the old key in place`() throws {
        let setup = try StoreFolder(.cipher)
        let store = try setup.open { $0.settings.busyTimeout = 50 }
        try store.registerSoup("s", indexSpecs: [.string("k")])
        let other = try setup.open()
        #expect(faultCode { try store.rekey(to: BackEnds.key(9)) } == .busy)
        #expect(try store.soupExists("s") && other.soupExists("s"))
        #expect(throws: (any Error).self) { try store.transaction { _ in try store.rekey(to: BackEnds.key(9)) } }
        try other.close()
        try store.rekey(to: BackEnds.key(9))
        #expect(try store.soupExists("s"))
    }

    @Test
    func `a library that cannot encrypt is refused, and a failed opening can be repeated with the right key`() throws {
        let plain = try StoreFolder(.plain).open()
        #expect(faultCode { try plain.rekey(to: BackEnds.key()) } == .encryptionUnavailable)
        try plain.rekey(to: nil)
        let store = try StoreFolder(.cipher).open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        let wrong = try BackEnds.key(99)
        let right = try BackEnds.key()
        #expect(faultCode { try store.reopen { $0.key = wrong } } == .wrongKey)
        #expect(faultCode { _ = try store.soupExists("s") } == .closed)
        #expect(faultCode { try store.reopen { $0.key = nil } } == .keyMissing)
        try store.reopen { $0.key = right }
        #expect(try store.soupExists("s"))
    }

    @Test
    func `what a cut change of key left over is removed, and the store is as it was`() throws {
        let setup = try StoreFolder(.cipher)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.close()
        try File.replace(setup.path + ".rekey", with: Array("half a copy".utf8))
        let again = try setup.open()
        #expect(try again.soupExists("s"))
        try again.close()
        #expect(Folder.names(in: setup.folder.path) == ["store.db"])
    }
}
