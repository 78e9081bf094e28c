import Foundation
import OfflineCore
import TestSupport
import Testing

/// The examples about key-value stores, in the documentation of the types.
@Suite struct KeyValueExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    private func open() throws -> KeyValueStore {
        let options = StoreOptions(library: try SQLiteLibrary.find(.plain))
        return try KeyValueStore(path: examples.folder.file("values.db"), options: options)
    }

    @Test func `the example of KeyValueStore`() throws {
        let path = examples.folder.file("values.db")
        // Example: Sources/OfflineStore/KeyValues/KeyValueStore.swift
        let library = try SQLiteLibrary.find(.plain)
        let values = try KeyValueStore(path: path, options: StoreOptions(library: library))
        try values.set("dark", for: "appearance")
        let appearance = try values.string(for: "appearance")
        try values.close()
        // End of example
        #expect(appearance == "dark")
    }

    @Test func `the example of a transaction over values`() throws {
        let values = try open()
        try values.set("old", for: "draft")
        // Example: Sources/OfflineStore/KeyValues/KeyValueStore+Calls.swift
        try values.transaction {
            try values.set("Ada", for: "name")
            try values.remove("draft")
        }
        // End of example
        #expect(try values.keys() == ["name"])
    }

    @Test func `the example of a value from a source`() throws {
        let values = try open()
        let path = examples.folder.file("picture")
        try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: path))
        let opened = try #require(FileHandle(forReadingAtPath: path))
        let file = opened.fileDescriptor
        // Example: Sources/OfflineStore/KeyValues/KeyValueStore+Pieces.swift
        try values.set(from: ByteSource(fileDescriptor: file), for: "picture")
        // End of example
        #expect(try values.size(of: "picture") == 100_000)
        try opened.close()
    }

    @Test func `the example of Swift values under names`() throws {
        let values = try open()
        // Example: Sources/OfflineStore/KeyValues/KeyValueStore+Codable.swift
        try values.set(encoding: ["theme": "dark"], for: "settings")
        let settings = try values.value([String: String].self, for: "settings")
        // End of example
        #expect(settings == ["theme": "dark"])
    }

    @Test func `the example of changes of values`() async throws {
        let values = try open()
        @Sendable func show(_ appearance: String?) { #expect(appearance == "dark") }
        let task = Task { [values] in
            // Example: Sources/OfflineStore/KeyValues/KeyValueChanges.swift
            for await change in values.changes() {
                if case .keys(let keys) = change, !keys.contains("appearance") { continue }
                show(try await values.string(for: "appearance"))
            }
            // End of example
        }
        task.cancel()
        try await task.value
    }

    @Test func `the example of a key-value store of a directory`() throws {
        let library = try SQLiteLibrary.find(.plain)
        let stores = try StoreDirectory(root: examples.folder.path, user: "a") { _ in StoreOptions(library: library) }
        // Example: Sources/OfflineStore/Stores/StoreDirectory+KeyValues.swift
        let values = try stores.keyValueStore(.init("settings"))
        try values.set("dark", for: "appearance")
        // End of example
        #expect(stores.keyValueStoreNames(global: false) == ["settings"])
        try stores.close()
    }
}
