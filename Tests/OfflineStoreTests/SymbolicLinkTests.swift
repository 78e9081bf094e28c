import FoundationEssentials
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// A store is the file that a path leads to, whatever symbolic links are on the way.
@Suite struct SymbolicLinkTests {
    /// How a link leads to the store's file.
    enum Way: String, CaseIterable, Sendable {
        case file, chainOfFiles, folder, relativeFile
    }

    /// Creates the folder `real` and a path of that kind to `real/store.db`, which need not exist.
    private func link(_ way: Way, in folder: TemporaryFolder) throws -> (real: String, link: String) {
        let manager = FileManager.default
        let real = folder.file("real") + "/store.db"
        try manager.createDirectory(atPath: folder.file("real"), withIntermediateDirectories: true)
        try manager.createDirectory(atPath: folder.file("links"), withIntermediateDirectories: true)
        let link = folder.file("links/link.db")
        switch way {
        case .file:
            try manager.createSymbolicLink(atPath: link, withDestinationPath: real)
        case .relativeFile:
            try manager.createSymbolicLink(atPath: link, withDestinationPath: "../real/store.db")
        case .chainOfFiles:
            try manager.createSymbolicLink(atPath: folder.file("links/next"), withDestinationPath: "../real/store.db")
            try manager.createSymbolicLink(atPath: link, withDestinationPath: "next")
        case .folder:
            try manager.createSymbolicLink(
                atPath: folder.file("links/folder"), withDestinationPath: folder.file("real"))
            return (real, folder.file("links/folder") + "/store.db")
        }
        return (real, link)
    }

    private func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func options(_ key: UInt8?) throws -> StoreOptions {
        StoreOptions(library: try BackEnd.cipher.library(), key: try key.map { try BackEnds.key($0) })
    }

    @Test(
        .enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"), arguments: Way.allCases,
        [nil, 1] as [UInt8?])
    func `a rekey through a link replaces the file and not the link, and leaves nothing that the old key opens`(
        _ way: Way, _ old: UInt8?
    ) throws {
        let folder = try TemporaryFolder()
        let (real, link) = try link(way, in: folder)
        try SmartStore(path: real, options: options(old)).close()
        let store = try SmartStore(path: link, options: options(old))
        #expect(store.path.hasSuffix("/real/store.db"))
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.upsert([#"{"k":"marker"}"#.bytes], into: "s")
        let outside = try store.upsert([#"{"k":"marker outside"}"#.bytes], into: "x")
        try store.rekey(to: BackEnds.key(2))
        try store.close()

        #expect(isLink(link) || way == .folder)
        #expect(try names(in: folder.file("real")) == ["store.db", "store.db_external_soup_blobs"])
        #expect(try names(in: folder.file("links")).allSatisfy { isLink(folder.file("links/" + $0)) })
        for path in [link, real] {
            let opened = try SmartStore(path: path, options: options(2))
            #expect(try opened.count(.all(), soup: "s") == 1)
            #expect(try opened.retrieve(ids: [1], from: "x") == outside)
            try opened.close()
            #expect(
                faultCode { _ = try SmartStore(path: path, options: options(old)) }
                    == (old == nil ? .keyMissing : .wrongKey))
        }
        #expect(try Data(contentsOf: URL(filePath: real)).firstRange(of: Data("marker".utf8)) == nil)
    }

    @Test(
        arguments: BackEnd.allCases,
        Way.allCases)
    func `a file is made where a link without a target leads, with all that belongs to it`(
        _ backEnd: BackEnd, _ way: Way
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let (real, link) = try link(way, in: setup.folder)
        let first = try SmartStore(path: link, options: setup.options())
        try first.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        let one = try first.upsert([#"{"k":"by the link"}"#.bytes], into: "x")
        // Both at the same time: this process knows them as one file, whatever its path.
        let second = try SmartStore(path: real, options: setup.options())
        let two = try second.upsert([#"{"k":"by its own path"}"#.bytes], into: "x")
        #expect(try first.retrieve(ids: [1, 2], from: "x") == one + two)
        #expect(try second.retrieve(ids: [1, 2], from: "x") == one + two)
        #expect(first.path == second.path)
        #expect(
            try names(in: setup.folder.file("real"))
                == ["store.db", "store.db-shm", "store.db-wal", "store.db_external_soup_blobs"])
        try first.close()
        try second.close()
        #expect(try names(in: setup.folder.file("real")) == ["store.db", "store.db_external_soup_blobs"])
    }

    @Test
    func `a store stays with its file when a link is given another target`() throws {
        let setup = try StoreFolder(.plain)
        let (real, link) = try link(.file, in: setup.folder)
        let store = try SmartStore(path: link, options: setup.options())
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: setup.folder.file("real/other.db"))
        try store.upsert(["{}".bytes], into: "s")
        try store.reopen()
        #expect(try store.count(.all(), soup: "s") == 1)
        #expect(store.path.hasSuffix("/real/store.db") && FileManager.default.fileExists(atPath: real))
        #expect(!FileManager.default.fileExists(atPath: setup.folder.file("real/other.db")))
    }

    @Test
    func `links in a circle, and links into a folder that is not there, are refused`() throws {
        let setup = try StoreFolder(.plain)
        let loop = setup.folder.file("loop.db")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop.db")
        let nowhere = setup.folder.file("nowhere.db")
        try FileManager.default.createSymbolicLink(atPath: nowhere, withDestinationPath: "missing/store.db")
        for access in [ConnectionAccess.create, .readWrite, .readOnly] {
            let options = try setup.options { $0.access = access }
            #expect(faultCode { _ = try SmartStore(path: loop, options: options) } == .inputOutput)
            let missing: Fault.Code = access == .create ? .inputOutput : .storeNotFound
            #expect(faultCode { _ = try SmartStore(path: nowhere, options: options) } == missing)
            #expect(faultCode { _ = try SmartStore(path: "", options: options) } == missing)
        }
        #expect(try names(in: setup.folder.path) == ["loop.db", "nowhere.db"])
    }
}
