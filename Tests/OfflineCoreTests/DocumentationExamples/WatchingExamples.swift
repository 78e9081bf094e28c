import OfflineCore
import Synchronization
import TestSupport
import Testing

/// The examples about changes and live values, in the documentation of the types.
@Suite(.timeLimit(.minutes(1))) struct WatchingExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    @Test func `the example of LiveValues`() async throws {
        let store = try examples.contacts()
        let log = Log()
        @Sendable func show(_ entries: EntryList) { log.write("\(entries.count)") }
        let task = Task {
            // Example: Sources/OfflineStore/Changes/LiveValues.swift
            let adults = store.liveQuery(.range(path: "age", from: 18), in: "contacts")
            for try await entries in adults {
                show(entries)
            }
            // End of example
        }
        try await cancel(task, after: log)
        #expect(log.lines == ["1"])
        try await store.close()
    }

    @Test func `the example of liveQuery`() async throws {
        let store = try examples.contacts()
        try await store.removeSoup("contacts")
        try await store.registerSoup("contacts", indexSpecs: [.string("city")])
        try await store.upsert([["city": "London"], ["city": "Paris"]], into: "contacts")
        let log = Log()
        @Sendable func show(_ entries: EntryList) { log.write("\(entries.count)") }
        let task = Task {
            // Example: Sources/OfflineStore/Changes/SmartStore+Live.swift
            for try await entries in store.liveQuery(.exact(path: "city", matchKey: "London"), in: "contacts") {
                show(entries)
            }
            // End of example
        }
        try await cancel(task, after: log)
        #expect(log.lines == ["1"])
        try await store.close()
    }

    @Test func `the example of live`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Changes/SmartStore+Live.swift
        let overview = store.live { reader in
            (contacts: try reader.count(.all(), in: "contacts"), newest: try reader.retrieve(id: 1, from: "contacts"))
        }
        // End of example
        let first = try overview.start().initial
        #expect(first.contacts == 2 && first.newest != nil)
        try store.close()
    }

    @Test func `the example of changes`() async throws {
        let store = try examples.contacts()
        let task = Task {
            var names: [String] = []
            // Example: Sources/OfflineStore/Changes/SmartStore+Changes.swift
            let changes = store.changes(in: ["contacts"])
            try await store.upsert([["name": "Ada"]], into: "contacts")
            for await delivery in changes {
                names += delivery.map(\.soup)
            }
            // End of example
            return names
        }
        for try await count in store.liveCount(.all(), in: "contacts") where count == 3 {
            break
        }
        try await store.close()
        #expect(try await task.value == ["contacts"])
    }

    @Test func `the example of StoreChange`() async throws {
        let store = try examples.contacts()
        let log = Log()
        let task = Task {
            // Example: Sources/OfflineStore/Changes/StoreChange.swift
            for await changes in store.changes(in: ["contacts"]) {
                for change in changes where change.kinds.contains(.removed) {
                    log.write("\(change.soup): \(change.ids)")
                }
            }
            // End of example
        }
        // The first of these may come before anybody watches.
        while log.lines.isEmpty {
            try await store.upsert([["name": "Grace"]], into: "contacts")
            try await store.remove(matching: .exact(path: "name", matchKey: "Grace"), from: "contacts")
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        await task.value
        #expect(log.lines[0].hasPrefix("contacts: some(["))
        try await store.close()
    }

    /// Waits until the task has shown something, and cancels it.
    private func cancel(_ task: Task<Void, any Error>, after log: Log) async throws {
        while log.lines.isEmpty {
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// Keeps what an example shows.
private final class Log: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }

    func write(_ line: String) { written.withLock { $0.append(line) } }
}
