import FoundationEssentials
import OfflineCore
import Synchronization
import TestSupport
import Testing

/// Writes the types of results and options by their names: this file does not compile if the product does not export a
/// type that an app keeps in a property.
struct ExportedNamesTests {
    private struct Report {
        let access: ConnectionAccess
        let capabilities: Capabilities
        let total: StoreCounters
        var statement: StatementCounters?
        let age: JSONNumber?
    }

    @Test func `an app can keep what the store says in its own types`() throws {
        let folder = try TemporaryFolder()
        let library = try SQLiteLibrary.find(.plain)
        let access: ConnectionAccess = .create
        let counters = Mutex<StatementCounters?>(nil)
        var options = StoreOptions(library: library)
        options.access = access
        options.events = { event in
            counters.withLock { $0 = event.counters ?? $0 }
        }
        let store = try SmartStore(path: folder.file("contacts.db"), options: options)
        try store.registerSoup("contacts", indexSpecs: [.integer("age")])
        try store.upsert([["age": 36]], into: "contacts")
        let page = try store.query(.exact(path: "age", matchKey: 36), soup: "contacts").currentPage
        let first = try #require(page.entries.first { _ in true })
        let report = Report(
            access: access, capabilities: library.capabilities, total: store.counters(),
            statement: counters.withLock { $0 },
            age: try JSONValue(parsing: String(decoding: first, as: UTF8.self))["age"]?.number)
        try store.close()
        #expect(report.capabilities.json1 && report.access == .create && report.total.machineSteps > 0)
        #expect(report.statement != nil && report.age == JSONNumber(36))
    }

    @Test func `the page of the product lists every type that it exports`() throws {
        func text(_ file: String) throws -> String {
            let path = TestData.packageRoot + "/Sources/OfflineCore/" + file
            return try String(contentsOf: URL(filePath: path), encoding: .utf8)
        }
        let exported = try text("OfflineCore.swift").split(separator: "\n").filter { $0.hasPrefix("@_exported") }
        let names = exported.compactMap { $0.split(separator: ".").last }
        let page = try text("OfflineCore.docc/OfflineCore.md")
        #expect(names.count > 50)
        #expect(names.filter { !page.contains("- ``\($0)``") } == [])
    }
}
