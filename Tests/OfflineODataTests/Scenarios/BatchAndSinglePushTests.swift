import JSONText
import MockODataService
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import ServiceTransport
import Synchronization
import TestSupport
import Testing

/// What a push leaves in the store does not depend on how many changes go with a request.
///
/// Batches read and save many rows together. A row that was edited while it was sent, one that was removed meanwhile,
/// and one whose neighbour is refused or gets a key are saved apart.
@Suite struct BatchAndSinglePushTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <Property Name="Mark" Type="Edm.String"/><Property Name="BossID" Type="Edm.Int32"/>
        <NavigationProperty Name="Boss" Type="N.Order"><ReferentialConstraint Property="BossID"
         ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="N.Order">
        <NavigationPropertyBinding Path="Boss" Target="Orders"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let entities: Int64 = 40

    @Test func `rows are the same after single requests and after batches`() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var outcomes: Set<String> = []
        for turn in 0..<5 as Range<UInt64> {
            let single = try await pushed(seed: seed &+ turn, mode: .single, batchSize: 1)
            for size in [3, 100] {
                let batch = try await pushed(seed: seed &+ turn, mode: .batch, batchSize: size)
                let differing = Set(batch.rows).symmetricDifference(single.rows).sorted()
                #expect(differing.isEmpty, "seed \(seed), turn \(turn), batches of \(size)")
                #expect(batch.outcomes == single.outcomes, "seed \(seed), turn \(turn), batches of \(size)")
            }
            outcomes.formUnion(single.outcomes.map { String($0.split(separator: " ").last ?? "") })
        }
        #expect(outcomes == ["done", "conflict"], "seed \(seed)")
    }

    /// Runs a closure for each entity that is written, before the service has the request.
    private final class Interrupted: Transport {
        private let service: any Transport
        private let interrupt = Mutex<@Sendable (Int64) throws -> Void>({ _ in })

        init(_ service: any Transport) { self.service = service }

        func onWriting(_ body: @escaping @Sendable (Int64) throws -> Void) { interrupt.withLock { $0 = body } }

        func send(_ request: ServiceRequest) async throws -> ServiceResponse {
            let body = interrupt.withLock { $0 }
            let lines = request.partLines.isEmpty ? ["\(request.method) \(request.path)"] : request.partLines
            for line in lines where !line.hasPrefix("GET") {
                guard let start = line.lastIndex(of: "("), let end = line.lastIndex(of: ")"),
                    let id = Int64(line[line.index(after: start)..<end])
                else { continue }
                try body(id)
            }
            return try await service.send(request)
        }
    }

    /// Changes entities at random, pushes them, and returns all rows that the store has then, with what became of each
    /// change.
    private func pushed(
        seed: UInt64, mode: PushMode, batchSize: Int
    ) async throws -> (rows: [String], outcomes: [String]) {
        var random = SeededRandom(seed: seed)
        let service = try MockODataService(metadata: Array(Self.metadata.utf8))
        for id in 1...Self.entities {
            try service.add(["ID": .number(.init(id)), "Text": "t", "Mark": "m", "BossID": nil], to: "Orders")
        }
        let transport = Interrupted(service.transport)
        let setup = try ScenarioSetup(
            service, metadata: Self.metadata, .inProcess, .plain, sets: ["Orders": EntitySetSettings()],
            options: { options in
                options.uuids = .counting()
                options.clock = .stepping(from: 1_600_000_000_000, by: 0)
            }, transport: { _ in transport })
        let client = setup.client
        try await client.load("Orders")
        var interrupted: [Int64: Bool] = [:]
        for id in 1...Self.entities {
            let key = JSONValue.number(.init(id))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: continue
            case 1: try await client.delete("Orders", .key(key))
            default:
                try await client.update("Orders", .key(key), ["Text": .string("changed \(id)")])
                if Int.random(in: 0..<5, using: &random) == 0 {
                    interrupted[id] = Bool.random(using: &random)
                }
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                try service.set("Orders", "(\(id))", ["Mark": "theirs"])
            }
        }
        // The entities that others refer to come first, so that the service gives the same keys either way.
        let bosses = try (0..<3).map { _ in try client.create("Orders", ["Text": "boss"]) }
        for boss in bosses {
            try await client.create("Orders", ["Text": "new", "BossID": boss["__key__"] ?? .null])
        }
        let edits = interrupted
        transport.onWriting { id in
            guard let isDeleted = edits[id] else { return }
            if isDeleted {
                try client.delete("Orders", .key(.number(.init(id))))
            } else {
                try client.update("Orders", .key(.number(.init(id))), ["Mark": "edited"])
            }
        }
        let result = try await client.push(mode: mode, batchSize: batchSize)
        let rows = try ["Orders", "Orders_originals", "sync_outbox"].flatMap { try Self.rows(of: $0, in: setup.store) }
        let outcomes = result.outcomes.map { "\($0.entryId) \($0.operation) \($0.kind)" }
        return (rows, outcomes.sorted())
    }

    /// The rows of a soup as texts, without what depends on the time and the order of writing.
    private static func rows(of soup: String, in store: SmartStore) throws -> [String] {
        guard try store.soupExists(soup) else { return [] }
        return try store.rows("SELECT {\(soup):_soup} FROM {\(soup)}", limit: 1_000).map { cells in
            guard case .entry(let bytes)? = cells.first else { return "" }
            var row = try #require(try JSONValue(parsing: bytes).object)
            row["_soupLastModifiedDate"] = nil
            if var original = row["original"]?.object {
                original["_soupLastModifiedDate"] = nil
                row["original"] = .object(original)
                row["_soupEntryId"] = nil
            }
            return JSONValue.object(row).text()
        }
        .sorted()
    }
}
