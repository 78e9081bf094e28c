import JSONText
import OfflineOData
import OfflineStore
import SQLiteAccess
import ServiceTransport
import Soups
import Synchronization
import TestSupport
import Testing

/// Loads that go on from what earlier ones have stored.
@Suite struct StoredLoadTests {
    /// Answers each request with a feed without entities, and a link to changes.
    private final class EmptyService: Transport {
        private let log = Mutex<[String?]>([])
        /// The queries that were asked since the last call.
        var queries: [String?] {
            log.withLock { log in
                defer { log = [] }
                return log
            }
        }

        func send(_ request: ServiceRequest) async throws -> ServiceResponse {
            log.withLock { $0.append(request.encodedQuery) }
            return ServiceResponse(
                status: 200, headers: [Pair("Content-Type", "application/json")],
                body: Array(#"{"value": [], "@odata.deltaLink": "Notes?d=1"}"#.utf8))
        }
    }

    /// What a store has after a load without a query, changed by a test.
    private func queriesOfSecondLoad(
        _ query: String, isResumed: Bool = false, after change: (inout JSONObject) -> Void
    ) async throws -> [String?] {
        let folder = try TemporaryFolder()
        let store = try SmartStore(
            path: folder.file("loads.db"), options: StoreOptions(library: try BackEnd.plain.library()))
        defer { try? store.close() }
        let service = EmptyService()
        let map = try EntitySetMap(set: "Notes", key: ["Id"])
        let client = try ODataClient(store, serviceRoot: "https://host/svc/", transport: service, map: map)
        try await client.load("Notes")
        _ = service.queries

        let row = try #require(try await store.query(odata: SoupQuery(""), in: "odata_loads").page.first)
        var state = try #require(try JSONValue(parsing: row).object)
        change(&state)
        try await store.upsert([JSONValue.object(state).bytes()], into: "odata_loads")
        if isResumed {
            try await client.resume("Notes")
        } else {
            try await client.load("Notes", query: query)
        }
        return service.queries
    }

    @Test func `a load that an earlier version has stored keeps its link to changes`() async throws {
        let queries = try await queriesOfSecondLoad("") { $0["deltaQuery"] = nil }
        #expect(queries == ["d=1"])
    }

    @Test func `after a cut load of an earlier version, all entities are asked for`() async throws {
        let queries = try await queriesOfSecondLoad("") {
            $0["deltaQuery"] = nil
            $0["status"] = "FAILED"
        }
        #expect(queries == [nil])
    }

    @Test func `rows that were not removed yet are removed by the next load`() async throws {
        let queries = try await queriesOfSecondLoad("") {
            $0["status"] = "FAILED"
            $0["isRemoving"] = true
        }
        #expect(queries == [nil])
    }

    @Test func `a cut load that an earlier version has begun with a question mark is continued`() async throws {
        let queries = try await queriesOfSecondLoad("", isResumed: true) {
            $0["query"] = "?$filter=Id gt 1"
            $0["status"] = "FAILED"
        }
        #expect(queries.count == 1)
        #expect(queries.first??.contains("filter") == true)
    }
}
