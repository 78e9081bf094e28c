import EntryCoding
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Swift values in and out of a store: APP-40, 42 and 43.
@Suite struct ValuesTests {
    struct Contact: Codable, Equatable, Sendable {
        var name: String
        var n: Int
    }

    @Test(arguments: BackEnd.allCases)
    func `values come back with their system fields`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).opened("s")
        let ada = Contact(name: "Ada", n: 1)
        let ids = try await store.upsert(values: [ada, Contact(name: "Bo", n: 2)], into: "s")
        let id = try await store.upsert(value: Contact(name: "Cy", n: 3), into: "s")
        #expect(ids == [1, 2] && id == 3)
        let first = try #require(try await store.value(Contact.self, id: 1, from: "s"))
        #expect(first == Identified(id: 1, lastModified: 1_600_000_000_001, value: ada))
        #expect(try await store.value(Contact.self, id: 9, from: "s") == nil)
        #expect(try await store.values(Contact.self, ids: [3, 9, 1], from: "s").map(\.id) == [3, 1])
        let spec = QuerySpec.range(path: "n", from: 2, orderPath: "n", order: .descending, pageSize: 1)
        #expect(try await store.values(Contact.self, spec, in: "s").map(\.value.name) == ["Cy", "Bo"])
        #expect(try await store.values(Contact.self, spec, in: "s", limit: 1).map(\.value.name) == ["Cy"])
        var streamed: [String] = []
        for try await contact in store.stream(Contact.self, spec, in: "s") {
            streamed.append(contact.value.name)
        }
        #expect(streamed == ["Cy", "Bo"])
        let inRead = try await store.read { reader in
            (
                try reader.value(Contact.self, id: 2, from: "s")?.value.name,
                try reader.values(Contact.self, spec, in: "s").count
            )
        }
        #expect(inRead == ("Bo", 2))
    }

    @Test func `update writes over its entry and never inserts`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        try await store.upsert(values: [Contact(name: "Ada", n: 1), Contact(name: "Bo", n: 2)], into: "s")
        var both = try await store.values(Contact.self, .all(), in: "s")
        both[0].value.n = 7
        both[1].value.n = 8
        try await store.remove(ids: [2], from: "s")
        let changes = store.changes()
        let stale = both
        #expect(faultCode { try store.update(stale, in: "s") } == .entryNotFound)
        #expect(changes.takeKnown() == [])
        #expect(try await store.value(Contact.self, id: 1, from: "s")?.value.n == 1)
        try await store.update([both[0]], in: "s")
        #expect(try await store.value(Contact.self, id: 1, from: "s")?.value.n == 7)
        #expect(changes.takeKnown().map(\.kinds) == [.updated])
        #expect(try await store.count(.all(), soup: "s") == 1)
    }

    @Test func `a value that throws while it is encoded stores nothing`() throws {
        struct Bad: Encodable { let n: Double }
        let store = try StoreFolder(.plain).opened("s")
        #expect(throws: EncodingError.self) { _ = try store.upsert(values: [Bad(n: 1), Bad(n: .nan)], into: "s") }
        #expect(faultCode { _ = try store.upsert(value: 7, into: "s") } == .invalidEntry)
        #expect(try store.count(.all(), soup: "s") == 0)
    }

    @Test func `a type may declare the system fields`() throws {
        struct Row: Codable, Equatable {
            var _soupEntryId: Int64?
            var n: Int
        }
        let store = try StoreFolder(.plain).opened("s")
        let id = try store.upsert(value: Row(n: 1), into: "s")
        var row = try #require(try store.value(Row.self, id: id, from: "s")).value
        #expect(row == Row(_soupEntryId: 1, n: 1))
        row.n = 2
        #expect(try store.upsert(value: row, into: "s") == 1)
        #expect(try store.count(.all(), soup: "s") == 1)
    }

    @Test func `external ids, options and external storage work as for bytes`() throws {
        let store = try StoreFolder(.plain).opened("s")
        try store.registerSoup(SoupSpec(name: "big", features: [.externalStorage]), indexSpecs: [.integer("n")])
        for soup in ["s", "big"] {
            #expect(try store.upsert(value: Contact(name: "Ada", n: 5), into: soup, externalIdPath: "n") == 1)
            #expect(try store.upsert(value: Contact(name: "Bo", n: 5), into: soup, externalIdPath: "n") == 1)
            #expect(try store.values(Contact.self, .all(), in: soup).map(\.value.name) == ["Bo"])
        }
        struct Named: Codable { var firstName: String }
        var coding = CodingOptions()
        coding.keys = .snakeCase
        let id = try store.upsert(value: Named(firstName: "Ada"), into: "s", coding: coding)
        #expect(try store.retrieve(id: id, from: "s")?.string.contains("\"first_name\":\"Ada\"") == true)
        #expect(try store.value(Named.self, id: id, from: "s", coding: coding)?.value.firstName == "Ada")
    }

    @Test func `rows decode by the names of their columns, strictly`() throws {
        struct Line: Decodable, Equatable {
            var n: Int
            var name: String?
            var half: Double
            var isBig: Bool
        }
        let store = try StoreFolder(.plain).opened("s")
        try store.upsert(values: [Contact(name: "Ada", n: 1), Contact(name: "Bo", n: 20)], into: "s")
        let text = "SELECT {s:n}, NULL AS name, {s:n} / 2.0 AS half, {s:n} > 10 AS isBig FROM {s} ORDER BY 1"
        #expect(
            try store.rows(Line.self, text) == [
                Line(n: 1, name: nil, half: 0.5, isBig: false), Line(n: 20, name: nil, half: 10, isBig: true),
            ])
        struct Whole: Decodable {
            var entry: Contact
            var c: Int
        }
        struct Raw: Decodable { var _soup: Contact }
        #expect(
            try store.rows(Raw.self, "SELECT {s:_soup} FROM {s} ORDER BY {s:n}").map(\._soup.name) == ["Ada", "Bo"])
        #expect(try store.rows([Int].self, "SELECT {s:n}, 3 FROM {s} ORDER BY 1") == [[1, 3], [20, 3]])
        #expect(try store.rows(Int.self, "SELECT count(*) FROM {s}") == [2])
        let error = #expect(throws: DecodingError.self) {
            _ = try store.rows(Line.self, "SELECT 'SECRET' AS n, 1 AS half, 1 AS isBig FROM {s}")
        }
        if case .typeMismatch(_, let context)? = error {
            #expect(context.codingPath.map(\.stringValue) == ["n"])
            #expect(!"\(context)".contains("SECRET"))
        } else {
            Issue.record("\(String(describing: error))")
        }
        let row = try store.rows("SELECT 7 AS a, 'x' AS b, 1.5 AS a FROM {s} LIMIT 1")[0]
        #expect(try row.int64(0) == 7 && row["a"]?.int64 == 7 && row.double(2) == 1.5 && row["z"] == nil)
        #expect(faultCode { _ = try row.int64(1) } == .typeMismatch)
        #expect(faultCode { _ = try row.int64(2) } == .typeMismatch)
        #expect("\(row[1])" == "a text of 1 bytes")
    }

    @Test func `a live query of values decodes only what differs`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        var values = store.liveQuery(Contact.self, .all(orderPath: "n"), in: "s").makeAsyncIterator()
        #expect(try await values.next() == [])
        try await store.upsert(value: Contact(name: "Ada", n: 1), into: "s")
        #expect(try await values.next()?.map(\.value) == [Contact(name: "Ada", n: 1)])
    }
}
