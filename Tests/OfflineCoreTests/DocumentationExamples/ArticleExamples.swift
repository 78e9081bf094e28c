import Foundation
import Observation
import OfflineCore
import Synchronization
import TestSupport
import Testing

private struct Contact: Codable, Sendable {
    var name: String
    var notes: String
}

// Example: Sources/OfflineCore/OfflineCore.docc/WatchingForChanges.md
@MainActor @Observable final class ContactList {
    private(set) var names: [String] = []

    func follow(_ store: SmartStore) async throws {
        for try await contacts in store.liveQuery(Contact.self, .all(orderPath: "name"), in: "contacts") {
            names = contacts.map(\.value.name)
        }
    }
}
// End of example

/// The code of the articles from the first five minutes to the files on disk.
@Suite struct ArticleExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    private static let hasCipher = (try? SQLiteLibrary.find(.cipher)) != nil

    // MARK: - Beginning

    @Test func `the first five minutes`() async throws {
        let path = examples.folder.file("first.db")
        // Example: Sources/OfflineCore/OfflineCore.docc/FirstFiveMinutes.md
        struct Contact: Codable, Sendable {
            var name: String
            var notes: String
        }
        let library = try SQLiteLibrary.find(.plain)
        let store = try await SmartStore.open(path: path, options: StoreOptions(library: library))
        try await store.registerSoup("contacts", indexSpecs: [.string("name"), .fullText("notes")])
        // End of example
        // Example: Sources/OfflineCore/OfflineCore.docc/FirstFiveMinutes.md
        try await store.upsert(values: [Contact(name: "Ada", notes: "met at the harbour")], into: "contacts")
        let found = try await store.values(Contact.self, .match(path: "notes", matchKey: "harbour"), in: "contacts")
        let names = found.map { "\($0.id) \($0.value.name)" }
        // End of example
        #expect(names == ["1 Ada"])
        let shown = Shown<[String]>()
        @Sendable func show(_ names: [String]) { shown.add(names) }
        let task = Task {
            // Example: Sources/OfflineCore/OfflineCore.docc/FirstFiveMinutes.md
            for try await contacts in store.liveQuery(Contact.self, .all(orderPath: "name"), in: "contacts") {
                show(contacts.map(\.value.name))
            }
            // End of example
        }
        #expect(try await shown.first(of: task) == ["Ada"])
        try await store.close()
    }

    @Test func `choosing indexes`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineCore/OfflineCore.docc/ChoosingIndexes.md
        try store.registerSoup(
            "orders", indexSpecs: [.string("customer.name"), .integer("placed"), .floating("total"), .fullText("note")])
        // End of example
        // Example: Sources/OfflineCore/OfflineCore.docc/ChoosingIndexes.md
        let recent = QuerySpec.range(path: "placed", from: 1_700_000_000_000, orderPath: "placed")
        let plan = try store.explain(recent, soup: "orders")
        let isFast = plan.scans.isEmpty
        // End of example
        #expect(isFast, "\(plan)")
        // Example: Sources/OfflineCore/OfflineCore.docc/ChoosingIndexes.md
        try store.alterSoup("orders", indexSpecs: [.string("customer.name"), .integer("placed"), .string("state")])
        // End of example
        #expect(try store.indexSpecs(ofSoup: "orders").map(\.path) == ["customer.name", "placed", "state"])
    }

    @Test func `values`() throws {
        let store = try examples.contacts()
        try store.registerSoup("tasks", indexSpecs: [.string("title")])
        // Example: Sources/OfflineCore/OfflineCore.docc/SwiftValues.md
        struct Todo: Codable, Sendable {
            var title: String
            var due: Date?
        }
        var coding = CodingOptions()
        coding.dates = .iso8601
        let id = try store.upsert(value: Todo(title: "water the plants"), into: "tasks", coding: coding)
        var task = try store.value(Todo.self, id: id, from: "tasks", coding: coding)
        // End of example
        // Example: Sources/OfflineCore/OfflineCore.docc/SwiftValues.md
        task?.value.due = Date(timeIntervalSince1970: 1_767_225_600)
        try store.update([task].compactMap { $0 }, in: "tasks", coding: coding)
        // End of example
        let stored = try store.retrieve(ids: [id], from: "tasks").map { String(decoding: $0, as: UTF8.self) }
        #expect(stored[0].contains("2026-01-01T00:00:00Z"))
        // Example: Sources/OfflineCore/OfflineCore.docc/SwiftValues.md
        let text = "select {tasks:title} as title from {tasks} where {tasks:title} like ?"
        let rows = try store.rows(text, arguments: ["w%"])
        let first = try rows.first?.string(0)
        // End of example
        #expect(first == "water the plants" && rows.columns == ["title"])
    }

    @Test func `a stream of values`() async throws {
        let store = try examples.contacts()
        try await store.registerSoup("tasks", indexSpecs: [.string("title")])
        struct Todo: Codable, Sendable {
            var title: String
        }
        let coding = CodingOptions()
        try await store.upsert(values: [Todo(title: "a"), Todo(title: "b")], into: "tasks")
        // Example: Sources/OfflineCore/OfflineCore.docc/SwiftValues.md
        var titles: [String] = []
        for try await task in store.stream(Todo.self, .all(), in: "tasks", coding: coding) {
            titles.append(task.value.title)
        }
        // End of example
        #expect(titles == ["a", "b"])
    }

    @Test(.enabled(if: Self.hasCipher, "SQLCipher is missing: run ci/setup"))
    func `a key, and another one`() throws {
        let path = examples.folder.file("secret.db")
        let secret = [UInt8](repeating: 1, count: 32)
        let newSecret = [UInt8](repeating: 2, count: 32)
        // Example: Sources/OfflineCore/OfflineCore.docc/EncryptionAndKeys.md
        let library = try SQLiteLibrary.find(.cipher)
        let options = StoreOptions(library: library, key: try Key(raw: secret))
        let store = try SmartStore(path: path, options: options)
        // End of example
        try store.registerSoup("a", indexSpecs: [.string("k")])
        // Example: Sources/OfflineCore/OfflineCore.docc/EncryptionAndKeys.md
        try store.rekey(to: Key(raw: newSecret))
        // End of example
        #expect(try store.allSoupNames() == ["a"])
        try store.close()
        #expect(throws: Fault.self) { try SmartStore(path: path, options: options) }
    }

    // MARK: - Going on

    @Test func `a list that follows the store`() async throws {
        let store = try examples.contacts()
        try await store.upsert(values: [Contact(name: "Cy", notes: "new")], into: "contacts")
        try await store.remove(matching: .range(path: "age", from: 0), from: "contacts")
        let list = await ContactList()
        let task = Task { try await list.follow(store) }
        while await list.names.isEmpty {
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        #expect(await list.names == ["Cy"])
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `changes that are forgotten`() async throws {
        let store = try examples.contacts()
        let shown = Shown<StoreChange.IDs>()
        @Sendable func forget(_ ids: StoreChange.IDs) { shown.add(ids) }
        let task = Task {
            // Example: Sources/OfflineCore/OfflineCore.docc/WatchingForChanges.md
            for await delivery in store.changes(in: ["contacts"]) {
                for change in delivery where change.ids == .all || change.kinds.contains(.removed) {
                    forget(change.ids)
                }
            }
            // End of example
        }
        while shown.all.isEmpty {
            try await store.clearSoup("contacts")
            try await store.upsert([["name": "Ada"]], into: "contacts")
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        await task.value
        #expect(shown.all.first == .all)
    }

    @Test func `a transaction and a read of one state`() async throws {
        let store = try examples.contacts()
        try await store.registerSoup("tasks", indexSpecs: [.string("state")])
        // Example: Sources/OfflineCore/OfflineCore.docc/ThreadsAndTransactions.md
        let count = try await store.transaction { transaction in
            let open = try transaction.count(.exact(path: "state", matchKey: "open"), in: "tasks")
            try transaction.upsert([Array(#"{"state": "open"}"#.utf8)], into: "tasks")
            return open + 1
        }
        // End of example
        #expect(count == 1)
        // Example: Sources/OfflineCore/OfflineCore.docc/ThreadsAndTransactions.md
        let (open, newest) = try await store.read { reader in
            let open = try reader.count(.exact(path: "state", matchKey: "open"), in: "tasks")
            return (open, try reader.retrieve(id: 1, from: "tasks"))
        }
        // End of example
        #expect(open == 1 && newest != nil)
    }

    @Test func `a store of several processes`() async throws {
        let library = try SQLiteLibrary.find(.plain)
        let key: Key? = nil
        let sharedPath = examples.folder.file("shared.db")
        // Example: Sources/OfflineCore/OfflineCore.docc/SharingAStore.md
        var options = StoreOptions(library: library, key: key)
        options.settings.busyTimeout = 10_000
        let store = try SmartStore(path: sharedPath, options: options)
        let tasks = store.liveCount(.all(), in: "tasks", otherProcesses: .within(.milliseconds(250)))
        // End of example
        try await store.registerSoup("tasks", indexSpecs: [.string("state")])
        var counts = tasks.makeAsyncIterator()
        #expect(try await counts.next() == 0)
    }

    @Test func `several stores, and values under names`() async throws {
        let root = examples.folder.file("stores")
        let library = try SQLiteLibrary.find(.plain)
        @Sendable func keyOfStore(_ name: StoreDirectory.StoreName) throws -> Key? { nil }
        // Example: Sources/OfflineCore/OfflineCore.docc/SeveralStores.md
        let directory = try StoreDirectory(root: root, user: "organisation/user") { name in
            StoreOptions(library: library, key: try keyOfStore(name))
        }
        let store = try await directory.store()
        let shared = try await directory.store(.init("catalogue", isGlobal: true))
        // End of example
        // Example: Sources/OfflineCore/OfflineCore.docc/SeveralStores.md
        let values = try await directory.keyValueStore()
        try await values.set("dark", for: "theme")
        let theme = try await values.string(for: "theme")
        // End of example
        #expect(theme == "dark")
        try await directory.logOut()
        #expect(store.wasClosed && !shared.wasClosed)
        try await directory.close()
    }

    @Test func `errors by their codes`() async throws {
        let store = try examples.contacts()
        func later() throws {}
        // Example: Sources/OfflineCore/OfflineCore.docc/HandlingErrors.md
        do {
            try await store.upsert([["name": "Ada"]], into: "people")
        } catch let fault as Fault where fault.code == .soupNotFound {
            try await store.registerSoup("people", indexSpecs: [.string("name")])
        } catch let fault as Fault where fault.isRetryable {
            try later()
        }
        // End of example
        #expect(try await store.soupExists("people"))
    }

    // MARK: - Files and libraries

    @Test func `sizes`() async throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineCore/OfflineCore.docc/FilesOnDisk.md
        let sizes = try await store.sizes()
        let everything = sizes.file + sizes.log + sizes.soups.map(\.files).reduce(0, +)
        // End of example
        #expect(everything > 4096)
    }

    @Test func `where a library came from`() throws {
        // Example: Sources/OfflineCore/OfflineCore.docc/BesideAnotherSQLite.md
        let library = try SQLiteLibrary.find(.plain)
        let source = library.source
        // End of example
        #expect(source.description.contains("sqlite"))
    }
}

/// Keeps what an example shows.
private final class Shown<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }

    /// The first value; the task that shows them is cancelled.
    func first(of task: Task<Void, any Error>) async throws -> Value {
        while all.isEmpty {
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        return all[0]
    }
}
