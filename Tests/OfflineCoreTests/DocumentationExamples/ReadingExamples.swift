import OfflineCore
import TestSupport
import Testing

/// The examples about reads of one state, transactions, rows and values, in the documentation of the types.
@Suite struct ReadingExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    @Test func `the example of open`() async throws {
        let path = examples.folder.file("opened.db")
        let options = StoreOptions(library: try SQLiteLibrary.find(.plain))
        // Example: Sources/OfflineStore/Store/SmartStore+AsyncLife.swift
        let store = try await SmartStore.open(path: path, options: options)
        // End of example
        #expect(!store.wasClosed)
        try await store.close()
    }

    @Test func `the example of read`() throws {
        let store = try examples.contacts()
        try store.registerSoup("tasks", indexSpecs: [.string("state")])
        // Example: Sources/OfflineStore/Reading/SmartStore+Read.swift
        let (contacts, tasks) = try store.read { reader in
            (try reader.entries(.all(), in: "contacts"), try reader.count(.all(), in: "tasks"))
        }
        // End of example
        #expect(contacts.count == 2 && tasks == 0)
        try store.close()
    }

    @Test func `the example of StoreReader`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Reading/StoreReader.swift
        let names = try store.read { reader in
            var names = 0
            try reader.forEach(.all(), in: "contacts") { entry in
                names += entry.withBytes { $0.count }
                return .next
            }
            return names
        }
        // End of example
        #expect(names > 0)
        try store.close()
    }

    @Test func `the example of StoreTransaction`() throws {
        struct Order: Encodable {
            var number: Int
        }
        struct Item: Encodable {
            var title: String
            var order: Int64?

            func belonging(to order: Int64) -> Item { Item(title: title, order: order) }
        }
        let store = try examples.contacts()
        try store.registerSoup("orders", indexSpecs: [.integer("number")])
        try store.registerSoup("items", indexSpecs: [.integer("order")])
        let order = Order(number: 7)
        let items = [Item(title: "pen"), Item(title: "ink")]
        // Example: Sources/OfflineStore/Reading/StoreTransaction.swift
        try store.transaction { transaction in
            let id = try transaction.upsert(value: order, into: "orders")
            try transaction.upsert(values: items.map { $0.belonging(to: id) }, into: "items")
        }
        // End of example
        #expect(try store.count(.exact(path: "order", matchKey: 1), soup: "items") == 2)
        try store.close()
    }

    @Test func `the example of transaction`() throws {
        struct Task: Encodable {
            var state: String
        }
        let store = try examples.contacts()
        try store.registerSoup("tasks", indexSpecs: [.string("state")])
        // Example: Sources/OfflineStore/Store/SmartStore+Sessions.swift
        try store.transaction { transaction in
            let open = try transaction.count(.exact(path: "state", matchKey: "open"), in: "tasks")
            try transaction.upsert(value: Task(state: open < 10 ? "open" : "waiting"), into: "tasks")
        }
        // End of example
        #expect(try store.count(.exact(path: "state", matchKey: "open"), soup: "tasks") == 1)
        try store.close()
    }

    @Test func `the example of RowList`() throws {
        let store = try examples.contacts()
        var lines: [String] = []
        // Example: Sources/OfflineStore/Queries/RowList.swift
        let text = "SELECT {contacts:name}, {contacts:age} FROM {contacts} ORDER BY {contacts:name}"
        for row in try store.rows(text) {
            lines.append("\(try row.string(0)): \(row["age"]?.int64 ?? 0)")
        }
        // End of example
        #expect(lines == ["Ada: 36", "Bo: 7"])
        try store.close()
    }

    @Test func `the example of rows with names`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Queries/SmartStore+RowLists.swift
        let rows = try store.rows("SELECT {contacts:name} FROM {contacts} WHERE {contacts:age} > ?", arguments: [30])
        let names = try rows.map { try $0.string(0) }
        // End of example
        #expect(names == ["Ada"])
        try store.close()
    }

    @Test func `the example of values`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Entries/SmartStore+Values.swift
        struct Contact: Codable {
            var name: String
        }
        let ids = try store.upsert(values: [Contact(name: "Grace")], into: "contacts")
        let grace = try store.value(Contact.self, id: ids[0], from: "contacts")
        // End of example
        #expect(grace?.value.name == "Grace")
        try store.close()
    }

    @Test func `the example of stream`() async throws {
        struct Contact: Decodable {
            var name: String
        }
        let store = try examples.contacts()
        var names: [String] = []
        func show(_ contact: Contact) { names.append(contact.name) }
        // Example: Sources/OfflineStore/Entries/SmartStore+ValuesAsync.swift
        for try await contact in store.stream(Contact.self, .all(pageSize: 100), in: "contacts") {
            show(contact.value)
        }
        // End of example
        #expect(names == ["Ada", "Bo"])
        try await store.close()
    }
}
