import Foundation
import JSONText
import MockODataService
import OfflineOData
import SQLiteAccess
import ServiceTransport
import Synchronization
import TestSupport
import Testing

/// Entities go down, are changed, go up and come down again, while a third of the requests fails. Nothing is lost, and
/// nothing is created twice.
///
/// `SOUP_ODATA_ROUND_TRIP` sets the number of entities, edits and cuts, such as `10000,1000,100`; `SOUP_ODATA_SEED` the
/// seed.
@Suite struct RoundTripScenario {
    private static let environment = ProcessInfo.processInfo.environment
    private static let sizes = (environment["SOUP_ODATA_ROUND_TRIP"] ?? "300,60,12").split(separator: ",").map {
        Int($0) ?? 0
    }
    private static let seed = UInt64(environment["SOUP_ODATA_SEED"] ?? "") ?? UInt64.random(in: 0 ... .max)

    /// How an insert whose answer was lost is met: its key makes it repeatable, or it is held.
    enum Level: String, CaseIterable, Sendable {
        case a = "A"
        case c = "C"
    }

    @Test(arguments: BackEnds.available, Level.allCases)
    func `nothing is lost and nothing is double after cuts and failures`(
        backEnd: BackEnd, level: Level
    ) async throws {
        try #require(Self.sizes.count == 3)
        for (turn, route) in ScenarioRoute.allCases.enumerated() {
            var run = try RoundTrip(
                backEnd, level, route, seed: Self.seed &+ UInt64(turn), entities: Self.sizes[0],
                edits: Self.sizes[1])
            try await run.play(cuts: Self.sizes[2])
            let figures =
                "\(run.entities) entities, \(run.edits) edits, \(run.cuts) cuts, \(run.lost.count) lost, \(run.double.count) double, \(run.held) held"
            print("\(backEnd.rawValue) \(level.rawValue) \(route): \(figures), SOUP_ODATA_SEED=\(Self.seed)")
            #expect(run.lost.isEmpty && run.double.isEmpty, "SOUP_ODATA_SEED=\(Self.seed): \(run.lost) \(run.double)")
            #expect(run.differences.isEmpty, "SOUP_ODATA_SEED=\(Self.seed): \(run.differences.prefix(5))")
            #expect(run.cuts >= Self.sizes[2])
            #expect(level == .c || run.held == 0)
        }
    }
}

/// One round trip, with what came of it.
private struct RoundTrip {
    let entities: Int
    let edits: Int
    private(set) var cuts = 0
    private(set) var held = 0
    private(set) var lost: [String] = []
    private(set) var double: [String] = []
    private(set) var differences: [String] = []

    private let setup: ScenarioSetup
    private let faults: FailingTransport.Dice
    private let level: RoundTripScenario.Level
    private var random: SeededRandom
    /// What was changed here, by the marks of entities: null for deleted ones.
    private var wanted: [String: JSONValue] = [:]

    init(
        _ backEnd: BackEnd, _ level: RoundTripScenario.Level, _ route: ScenarioRoute, seed: UInt64, entities: Int,
        edits: Int
    ) throws {
        self.entities = entities
        self.edits = edits
        self.level = level
        random = SeededRandom(seed: seed)
        let metadata = Self.metadata(level)
        var options = MockODataOptions()
        options.takesKeys = level == .a
        options.pageSize = 40
        options.changeLimit = 1_000_000
        let service = try MockODataService(metadata: Array(metadata.utf8), options: options)
        for number in 0..<entities {
            try service.add(
                [
                    "ID": level == .a ? .string(Self.guid(number)) : .number(.init(Int64(number + 1))),
                    "Mark": .string("m\(number)"), "Text": "first", "Count": .number(.init(Int64(number))),
                ], to: "Notes")
        }
        var settings = EntitySetSettings()
        settings.makesKeys = level == .a
        settings.conflict = .merge
        settings.indexSpecs = [.string("Mark")]
        let dice = FailingTransport.Dice(service, seed: random.next())
        faults = dice
        setup = try ScenarioSetup(
            service, metadata: metadata, route, backEnd, sets: ["Notes": settings],
            options: { $0.batchSize = 10 }, transport: { FailingTransport($0, dice) })
    }

    private static func guid(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-9000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
    }

    private static func metadata(_ level: RoundTripScenario.Level) -> String {
        """
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Note">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="\(level == .a ? "Edm.Guid" : "Edm.Int32")" Nullable="false"/>
        <Property Name="Mark" Type="Edm.String"/><Property Name="Text" Type="Edm.String"/>
        <Property Name="Count" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Notes" EntityType="N.Note"/></EntityContainer></Schema>
        """
    }

    // MARK: - The round

    mutating func play(cuts wantedCuts: Int) async throws {
        try await load()
        var round = 0
        repeat {
            try edit(round == 0 ? edits : 10, round)
            try await push()
            try await load()
            round += 1
        } while cuts < wantedCuts && round < 1_000
        faults.isOn = false
        try await settle()
        judge()
        differences = try setup.differences("Notes")
        differences += try await setup.client.pending().map { "pending: \($0.entryId) \($0.operation)" }
    }

    /// Loads until it is done; each failure is a cut, after which the store is opened again.
    private mutating func load() async throws {
        var result = try await setup.client.load("Notes")
        while result.status != .done {
            cuts += 1
            try setup.reopen()
            result = try await setup.client.resume("Notes")
        }
    }

    private mutating func push() async throws {
        for _ in 0..<10_000 {
            let mode: PushMode = Bool.random(using: &random) ? .batch : .single
            let result = try await setup.client.push(mode: mode)
            if result.status == .done {
                try resolveDoubts()
                guard try await !setup.client.pending().isEmpty else { return }
                for conflict in try await setup.client.conflicts() {
                    try await setup.client.resolve("Notes", entryId: conflict.entryId, .mine)
                }
                continue
            }
            cuts += 1
            try setup.reopen()
        }
    }

    private mutating func settle() async throws {
        try await push()
        #expect(try await setup.client.load("Notes", mode: .full).status == .done)
    }

    /// Decides held inserts as a user does who looks at the service.
    private mutating func resolveDoubts() throws {
        for doubt in try setup.client.doubts() {
            held += 1
            let there = setup.service.entities(of: "Notes").first { $0["Mark"] == doubt.sent["Mark"] }
            try setup.client.resolveDoubt("Notes", entryId: doubt.entryId, createdAs: there?["ID"])
        }
    }

    // MARK: - Edits

    private mutating func edit(_ count: Int, _ round: Int) throws {
        let client = setup.client
        for number in 0..<count {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let mark = "new \(round) \(number)"
                try client.create("Notes", ["Mark": .string(mark), "Text": "created", "Count": 1])
                wanted[mark] = "created"
            case 1:
                guard let (row, mark) = try drawn() else { continue }
                let text = JSONValue.string("changed \(round) \(number)")
                try client.update("Notes", .entryId(row), ["Text": text])
                wanted[mark] = text
            default:
                guard let (row, mark) = try drawn() else { continue }
                try client.delete("Notes", .entryId(row))
                wanted[mark] = .null
            }
        }
    }

    /// A row that is not deleted.
    private mutating func drawn() throws -> (Int64, String)? {
        let mark = "m\(Int.random(in: 0..<entities, using: &random))"
        let found = try setup.rows("Notes", "$filter=Mark eq '\(mark)' and __locally_deleted__ eq false")
        return found.first?["_soupEntryId"]?.int64.map { ($0, mark) }
    }

    // MARK: - Judging

    private mutating func judge() {
        var there: [String: [JSONObject]] = [:]
        for entity in setup.service.entities(of: "Notes") {
            there[entity["Mark"]?.string ?? "", default: []].append(entity)
        }
        double = there.filter { $0.value.count > 1 }.keys.sorted()
        for (mark, text) in wanted.sorted(by: { $0.key < $1.key }) {
            let found = there[mark]?.first
            if text.isNull ? found != nil : found?["Text"] != text {
                lost.append("\(mark): \(found == nil ? "gone" : "another text")")
            }
        }
        for number in 0..<entities where wanted["m\(number)"] == nil && there["m\(number)"] == nil {
            lost.append("m\(number): gone")
        }
    }
}

/// Lets a third of the requests fail.
private struct FailingTransport: Transport {
    final class Dice: Sendable {
        private let service: MockODataService
        private let state: Mutex<(random: SeededRandom, isOn: Bool)>

        init(_ service: MockODataService, seed: UInt64) {
            self.service = service
            state = Mutex((SeededRandom(seed: seed), true))
        }

        var isOn: Bool {
            get { state.withLock { $0.isOn } }
            set { state.withLock { $0.isOn = newValue } }
        }

        func roll(_ request: ServiceRequest) {
            let fault = state.withLock { state -> MockODataFault? in
                guard state.isOn, Int.random(in: 0..<3, using: &state.random) == 0 else { return nil }
                return Self.faults(request).randomElement(using: &state.random)
            }
            if let fault {
                service.add(ODataFaultRule(fault))
            }
        }

        private static func faults(_ request: ServiceRequest) -> [MockODataFault] {
            let common: [MockODataFault] = [
                .dropBefore, .dropAfter, .cut(atByte: nil), .cut(atByte: 0), .shortened(toByte: nil), .delay(1),
                .status(500, .html), .status(503, .empty, retryAfter: 1), .status(503, .empty, afterApplying: true),
                .status(401, .error), .status(429, .empty), .coded(.gzip), .coded(.byteOrderMark),
            ]
            switch request.method {
            case "GET": return common + [.spoiled(.doubledEntity)]
            case "POST": return common + [.spoiled(.fewerAnswers), .spoiled(.withoutETag)]
            default: return common + [.status(412, .error), .status(412, .error, afterApplying: true)]
            }
        }
    }

    private let inner: any Transport
    private let dice: Dice

    init(_ inner: any Transport, _ dice: Dice) {
        self.inner = inner
        self.dice = dice
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        dice.roll(request)
        return try await inner.send(request)
    }
}
