import FoundationEssentials
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

@Suite struct KeyValueDirectoryTests {
    private static func directory(_ folder: TemporaryFolder, user: String = "a") throws -> StoreDirectory {
        let library = try BackEnd.plain.library()
        return try StoreDirectory(root: folder.path, user: user) { _ in StoreOptions(library: library) }
    }

    @Test func `the same object is returned, and names are apart from those of other stores`() throws {
        let folder = try TemporaryFolder()
        let stores = try Self.directory(folder)
        let values = try stores.keyValueStore(.init("one"))
        #expect(try stores.keyValueStore(.init("one")) === values)
        let soups = try stores.store(.init("one"))
        #expect(soups.path != values.path)
        #expect(values.path.hasSuffix("/users/a/kv/one/values.db"))
        #expect(try stores.keyValueStore(.init("one", isGlobal: true)).path.hasSuffix("/global/kv/one/values.db"))
        #expect(stores.names(global: false) == ["one"])
        try stores.close()
    }

    @Test func `names are listed, and removed stores are gone`() throws {
        let folder = try TemporaryFolder()
        let stores = try Self.directory(folder)
        #expect(stores.keyValueStoreNames(global: false) == [])
        let b = try stores.keyValueStore(.init("b"))
        _ = try stores.keyValueStore(.init("A B"))
        #expect(stores.keyValueStoreNames(global: false) == ["A B", "b"])
        #expect(try stores.keyValueStoreExists(.init("b")))
        try stores.removeKeyValueStore(.init("b"))
        #expect(try !stores.keyValueStoreExists(.init("b")))
        #expect(faultCode { _ = try b.count() } == .closed)
        try stores.removeKeyValueStore(.init("b"))
        try stores.removeAllKeyValueStores(global: false)
        #expect(stores.keyValueStoreNames(global: false) == [])
    }

    @Test func `logging out removes those of the user, and no others`() throws {
        let folder = try TemporaryFolder()
        let stores = try Self.directory(folder)
        let other = try Self.directory(folder, user: "other")
        try stores.keyValueStore(.init("mine")).set("x", for: "a")
        try stores.keyValueStore(.init("shared", isGlobal: true)).set("x", for: "a")
        try other.keyValueStore(.init("theirs")).set("x", for: "a")
        try stores.logOut()
        #expect(stores.keyValueStoreNames(global: false) == [])
        #expect(stores.keyValueStoreNames(global: true) == ["shared"])
        #expect(other.keyValueStoreNames(global: false) == ["theirs"])
        try other.close()
        try stores.close()
    }

    @Test func `a store cannot be removed or closed from inside its own call`() throws {
        let folder = try TemporaryFolder()
        let stores = try Self.directory(folder)
        let values = try stores.keyValueStore()
        try values.transaction {
            #expect(faultCode { try stores.removeKeyValueStore(.init()) } == .busy)
            #expect(faultCode { try stores.close() } == .busy)
            #expect(faultCode { try stores.logOut() } == .busy)
        }
        try stores.close()
        #expect(values.wasClosed)
    }

    @Test func `a file in the way of the folder is a typed fault`() throws {
        let folder = try TemporaryFolder()
        let stores = try Self.directory(folder)
        try Data().write(to: URL(filePath: folder.file("users")))
        #expect(faultCode { _ = try stores.keyValueStore() } == .inputOutput)
    }

    @Test func `calls for asynchronous code do the same`() async throws {
        let folder = try TemporaryFolder()
        let stores = try Self.directory(folder)
        let values = try await stores.keyValueStore(.init("one"))
        try await values.set("x", for: "a")
        #expect(try await values.string(for: "a") == "x")
        #expect(try await values.keys() == ["a"])
        #expect(try await values.remove("a"))
        try await stores.removeKeyValueStore(.init("one"))
        #expect(stores.keyValueStoreNames(global: false) == [])
        let path = folder.file("apart.db")
        let apart = try await KeyValueStore.open(
            path: path, options: StoreOptions(library: try BackEnd.plain.library()))
        try await apart.close()
    }
}
