import JSONText
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineOData

/// A query keeps how it was answered. It must notice whatever changes that.
@Suite struct KeptPlanTests {
    private static let query = "$filter=Name eq '5'"
    /// Rows of which the first two equal the text 5 or the number 5.
    private static let rows = [#"{"Name":"5"}"#, #"{"Name":5}"#, #"{"Name":"6"}"#, #"{"Name":"5"}"#]

    private static func store(_ path: String) throws -> SmartStore {
        var options = StoreOptions(library: try BackEnd.plain.library())
        options.settings.durability = .relaxed
        return try SmartStore(path: path, options: options)
    }

    private static func fill(_ store: SmartStore, _ type: IndexType) throws {
        try store.registerSoup("S", indexSpecs: [IndexSpec(path: "Name", type: type)])
        try store.upsert(rows.map { Array($0.utf8) }, into: "S")
    }

    /// The ids that the query finds, and the answer to its condition.
    private static func answer(_ query: SoupQuery, in store: SmartStore) throws -> ([Int64], ODataPlan.Answer?) {
        let page = try store.query(odata: query, in: "S").page
        let ids = try page.map { try JSONValue(parsing: $0)["_soupEntryId"]?.int64 ?? 0 }
        return (ids, try store.explain(odata: query, in: "S").conjuncts.first?.answer)
    }

    private static func expect(
        _ query: SoupQuery, in store: SmartStore, _ answer: ODataPlan.Answer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try Self.answer(query, in: store)
        #expect(found.0 == [1, 4], sourceLocation: sourceLocation)
        #expect(found.1 == answer, sourceLocation: sourceLocation)
    }

    @Test func `a query that runs again uses its plan`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder.file("a.db"))
        try Self.fill(store, .json1)
        // No other test asks for this text.
        let query = try SoupQuery(Self.query + "&$skip=0")
        #expect(query.plans.count == 0)
        try Self.expect(query, in: store, .sql)
        try Self.expect(query, in: store, .sql)
        #expect(query.plans.count == 1)
        let soup = try store.soup("S")
        let run = try SoupQueryRun(query, store: store, soup: "S", relations: [])
        #expect(run.plan(for: soup) === run.plan(for: soup))
    }

    @Test func `a query notices that its soup was altered`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder.file("a.db"))
        try Self.fill(store, .json1)
        let query = try SoupQuery(Self.query)
        try Self.expect(query, in: store, .sql)
        for (type, answer) in [(IndexType.string, ODataPlan.Answer.superset), (.integer, .residual), (.json1, .sql)] {
            try store.alterSoup("S", indexSpecs: [IndexSpec(path: "Name", type: type)])
            try Self.expect(query, in: store, answer)
        }
        try store.alterSoup("S", indexSpecs: [.string("Other")])
        try Self.expect(query, in: store, .residual)
    }

    @Test func `a query notices that its soup was removed and registered with other indexes`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder.file("a.db"))
        try Self.fill(store, .json1)
        let query = try SoupQuery(Self.query)
        try Self.expect(query, in: store, .sql)
        try store.removeSoup("S")
        #expect(throws: Fault.self) { try Self.answer(query, in: store) }
        try Self.fill(store, .integer)
        try Self.expect(query, in: store, .residual)
    }

    @Test func `a query notices what another handle of the store has altered`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder.file("a.db"))
        try Self.fill(store, .json1)
        let other = try Self.store(folder.file("a.db"))
        let query = try SoupQuery(Self.query)
        try Self.expect(query, in: store, .sql)
        try Self.expect(query, in: other, .sql)
        try other.alterSoup("S", indexSpecs: [.string("Name")])
        try Self.expect(query, in: store, .superset)
        try other.removeSoup("S")
        try Self.fill(other, .integer)
        try Self.expect(query, in: store, .residual)
        try Self.expect(query, in: other, .residual)
    }

    @Test func `a query runs over soups of one name in several stores`() throws {
        let folder = try TemporaryFolder()
        let types: [(IndexType, ODataPlan.Answer)] = [(.json1, .sql), (.string, .superset), (.integer, .residual)]
        let stores = try types.enumerated().map { number, type in
            let store = try Self.store(folder.file("\(number).db"))
            try Self.fill(store, type.0)
            return (store, type.1)
        }
        let query = try SoupQuery(Self.query)
        for _ in 0..<3 {
            for (store, answer) in stores {
                try Self.expect(query, in: store, answer)
            }
        }
    }

    @Test func `a query keeps few plans`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder.file("a.db"))
        try Self.fill(store, .json1)
        let query = try SoupQuery(Self.query)
        for number in 0..<3 * KeptPlans.maximum {
            try store.alterSoup("S", indexSpecs: [.json1("Name"), .string("Other\(number)")])
            try Self.expect(query, in: store, .sql)
            #expect(query.plans.count <= KeptPlans.maximum)
        }
        #expect(query.plans.count == KeptPlans.maximum)
    }

    @Test func `paths whose letters are composed in other ways are different to a plan`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder.file("a.db"))
        try store.registerSoup("S", indexSpecs: [.json1("caf\u{E9}")])
        try store.upsert([Array("{\"caf\u{E9}\":\"5\"}".utf8)], into: "S")
        let query = try SoupQuery("$filter=caf\u{E9} eq '5'")
        let first = try Self.answer(query, in: store)
        #expect(first.0 == [1])
        #expect(first.1 == .sql)
        try store.alterSoup("S", indexSpecs: [.json1("cafe\u{301}")])
        let second = try Self.answer(query, in: store)
        #expect(second.0 == [1])
        #expect(second.1 == .residual)
    }

    @Test func `a query without indexes does not take the plan of its copy`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder.file("a.db"))
        try Self.fill(store, .json1)
        let query = try SoupQuery(Self.query)
        try Self.expect(query, in: store, .sql)
        var copy = query
        copy.usesIndexes = false
        try Self.expect(copy, in: store, .residual)
        try Self.expect(query, in: store, .sql)
    }

    @Test func `later pages use the statement of the first one`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder.file("a.db"))
        for type in [IndexType.json1, .string, .integer] {
            try Self.fill(store, type)
            let query = try SoupQuery(Self.query, pageSize: 1)
            for _ in 0..<2 {
                var cursor = try store.query(odata: query, in: "S")
                var found = cursor.page
                while try cursor.next() {
                    found += cursor.page
                }
                let ids = try found.map { try JSONValue(parsing: $0)["_soupEntryId"]?.int64 ?? 0 }
                #expect(ids == [1, 4])
            }
            try store.removeSoup("S")
        }
    }

    @Test func `threads share a query over soups with other indexes`() async throws {
        let folder = try TemporaryFolder()
        let types: [(IndexType, ODataPlan.Answer)] = [(.json1, .sql), (.string, .superset), (.integer, .residual)]
        let stores = try types.enumerated().map { number, type in
            let store = try Self.store(folder.file("\(number).db"))
            try Self.fill(store, type.0)
            return (store, type.1)
        }
        let query = try SoupQuery(Self.query)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for turn in 0..<6 {
                let (store, answer) = stores[turn % stores.count]
                group.addTask {
                    for _ in 0..<20 {
                        let page = try await store.query(odata: query, in: "S").page
                        let plan = try await store.explain(odata: query, in: "S")
                        #expect(page.count == 2)
                        #expect(plan.conjuncts.map(\.answer) == [answer])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
