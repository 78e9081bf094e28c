import OfflineCore
import TestSupport
import Testing

/// The examples about queries, in the documentation of the types.
@Suite struct QueryingExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    @Test func `the example of QuerySpec`() throws {
        let store = try examples.contacts()
        // Example: Sources/Soups/QuerySpec.swift
        let newest = QuerySpec.all(orderPath: "_soupLastModifiedDate", order: .descending, pageSize: 20)
        let adults = QuerySpec.range(path: "age", from: 18)
        let names = QuerySpec.like(path: "name", likeKey: "A%", orderPath: "name", selectPaths: ["name", "age"])
        let rows = try store.query(names, soup: "contacts").currentPage.rows
        // End of example
        #expect(try store.count(newest, soup: "contacts") == 2 && store.count(adults, soup: "contacts") == 1)
        #expect(rows == [[.value(.text("Ada")), .value(.integer(36))]])
        try store.close()
    }

    @Test func `the example of StoreCursor`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Queries/StoreCursor.swift
        let cursor = try store.query(.all(pageSize: 50), soup: "contacts")
        var texts = cursor.currentPage.entries.map { String(decoding: $0, as: UTF8.self) }
        while cursor.hasNextPage {
            try cursor.moveToNextPage()
            texts += cursor.currentPage.entries.map { String(decoding: $0, as: UTF8.self) }
        }
        // End of example
        #expect(texts.count == 2)
        try store.close()
    }

    @Test func `the example of CursorPages`() async throws {
        let store = try examples.contacts()
        var texts: [String] = []
        // Example: Sources/OfflineStore/Queries/CursorPages.swift
        for try await page in try await store.query(.all(pageSize: 50), soup: "contacts").pages {
            texts += page.entries.map { String(decoding: $0, as: UTF8.self) }
        }
        // End of example
        #expect(texts.count == 2)
        try await store.close()
    }

    @Test func `the example of runSmartQuery`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Queries/SmartStore+SmartQueries.swift
        let spec = QuerySpec.smart("SELECT {contacts:name}, {contacts:age} FROM {contacts} WHERE {contacts:age} >= ?")
        let cursor = try store.runSmartQuery(spec, arguments: [.integer(18)])
        let rows = cursor.currentPage.rows
        // End of example
        #expect(rows == [[.value(.text("Ada")), .value(.integer(36))]])
        try store.close()
    }

    @Test func `the example of rows`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Queries/SmartStore+Rows.swift
        let text = "SELECT {contacts:_soupEntryId} FROM {contacts} WHERE {contacts:_soupEntryId} > ? ORDER BY 1"
        var all: [[StoreCell]] = []
        var rows = try store.rows(text, arguments: [.integer(0)], limit: 1000)
        while case .value(.integer(let last))? = rows.last?.first {
            all += rows
            rows = try store.rows(text, arguments: [.integer(last)], limit: 1000)
        }
        // End of example
        #expect(all.count == 2)
        try store.close()
    }

    @Test func `the example of rows with a closure`() throws {
        let store = try examples.contacts()
        var total = 0
        // Example: Sources/OfflineStore/Queries/SmartStore+Rows.swift
        let text = "SELECT {contacts:_soupEntryId}, {contacts:_soup} FROM {contacts} ORDER BY 1"
        try store.rows(text) { row in
            if case .entry(let bytes) = try row.cell(at: 1) {
                total += bytes.count
            }
            return total < 1_000_000
        }
        // End of example
        #expect(total > 0)
        try store.close()
    }

    @Test func `the example of lookUp`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Queries/SmartStore+Rows.swift
        let keys: [SQLValue] = [.text("Ada"), .text("Grace")]
        let found = try store.lookUp(keys, path: "name", in: "contacts", selecting: ["name", "_soupEntryId"])
        // End of example
        #expect(found == [[.value(.text("Ada")), .value(.integer(1))]])
        try store.close()
    }

    @Test func `the example of QueryPlan`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Queries/QueryPlan.swift
        let plan = try store.explain(.exact(path: "name", matchKey: "Ada"), soup: "contacts")
        let usesIndex = plan.scans.isEmpty && plan.uses.contains { $0.path == "name" }
        // End of example
        #expect(usesIndex)
        try store.close()
    }

    @Test func `the example of EntryList`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Queries/EntryList.swift
        let entries = try store.query(.all(), soup: "contacts").currentPage.entries
        let texts = entries.indices.map { entries.text(at: $0) }
        let array = entries.jsonArray
        // End of example
        #expect(texts.count == 2 && array.first == UInt8(ascii: "["))
        try store.close()
    }
}
