import SQLiteAccess
import SmartSQL
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import OfflineStore
@testable import SoupBenchmarks

/// The floor must run the store's own statements with the store's own values, otherwise it is not a floor.
@Suite struct FloorStatementTests {
    static let arms: [Arm] = [.plain, .cipher]
    static let count = 25
    private static let corpus = GeneratedCorpus(seed: 3)
    private static let fill = FloorFill(StoreCorpus(source: .generated(corpus), count: count))

    private static func skipIfMissing(_ arm: Arm) throws {
        try (arm == .cipher ? BackEnd.cipher : BackEnd.plain).skipIfMissing()
    }

    /// A store with these indexes and documents in it.
    private func filled(_ arm: Arm, _ folder: TemporaryFolder, _ indexes: [IndexSpec]) throws -> SmartStore {
        let store = try Self.fill.empty(arm, in: folder.path, indexes)
        try store.upsert((0..<Self.count).map { Self.corpus.document(at: $0) }, into: StoreCorpus.soup)
        return store
    }

    /// Whether a statement is about the soup's tables, and not one of those with which a full-text module works inside
    /// or a store reads its schema.
    private static func isOfSoup(_ text: String) -> Bool {
        text.contains("TABLE_1") && !text.hasPrefix("--")
            && !["'main'.", "sqlite_master", "sqlite_sequence"].contains { text.contains($0) }
    }

    /// The statements on a connection that are about the soup.
    private func recorded(_ connection: Connection, _ work: () throws -> Void) throws -> [String] {
        var failure: (any Error)?
        let texts = try connection.recordingStatements { () throws(Fault) in
            do { try work() } catch { failure = error }
        }
        if let failure {
            throw failure
        }
        return texts.filter(Self.isOfSoup)
    }

    /// Compares statement by statement, and shows the first that differs.
    private func expectSame(_ byFloor: [String], _ byStore: [String], count: Int) {
        let pair = zip(byFloor, byStore).first { $0.0 != $0.1 }
        let isSame = pair == nil
        #expect(isSame, "floor: \(pair?.0.prefix(300) ?? ""); store: \(pair?.1.prefix(300) ?? "")")
        #expect(
            byFloor.count == count && byStore.count == count,
            "\(byStore.dropFirst(byFloor.count).first?.prefix(300) ?? "") \(byFloor.dropFirst(byStore.count).first?.prefix(300) ?? "")"
        )
    }

    private func recordedWriting(_ store: SmartStore, _ work: @escaping () throws -> Void) throws -> [String] {
        var texts: [String] = []
        try store.connections.write { (session, _) throws(Fault) in
            do { texts = try recorded(session.connection, work) } catch let fault as Fault { throw fault } catch {
                Issue.record(error)
            }
        }
        return texts
    }

    @Test(arguments: arms, [FloorFill.strings, FloorFill.json1, FloorFill.fullText])
    func `upserts run the same statements with the same values`(arm: Arm, indexes: [IndexSpec]) throws {
        try Self.skipIfMissing(arm)
        let storeFolder = try TemporaryFolder()
        let store = try Self.fill.empty(arm, in: storeFolder.path, indexes)
        let entries = (0..<Self.count).map { Self.corpus.document(at: $0) }
        let byStore = try recordedWriting(store) { try store.upsert(entries, into: StoreCorpus.soup) }
        try store.close()

        let written = try FloorStore(arm, in: storeFolder.path, indexes: indexes)
        let script = try written.inserts()
        written.connection.close()
        let floorFolder = try TemporaryFolder()
        try Self.fill.empty(arm, in: floorFolder.path, indexes).close()
        let floor = try FloorStore(arm, in: floorFolder.path, indexes: indexes)
        let byFloor = try recorded(floor.connection) { try floor.connection.runFloor(script, batch: 1_000) }
        expectSame(byFloor, byStore, count: Self.count * (indexes == FloorFill.fullText ? 2 : 1))
    }

    @Test(arguments: arms, [FloorFill.strings, FloorFill.fullText])
    func `updates and removals run the same statements with the same values`(arm: Arm, indexes: [IndexSpec]) throws {
        try Self.skipIfMissing(arm)
        let folder = try TemporaryFolder()
        let store = try filled(arm, folder, indexes)
        let ids = Self.fill.shuffled(7)
        #expect(Set(ids).count == Self.count && ids != ids.sorted())
        let entries = Self.fill.replacements(of: ids)
        let updates = try recordedWriting(store) { try store.upsert(entries, into: StoreCorpus.soup) }
        try store.close()
        let floor = try FloorStore(arm, in: folder.path, indexes: indexes)
        let script = try floor.updates(of: ids)
        let updated = try recorded(floor.connection) { try floor.connection.runFloor(script, batch: ids.count) }
        expectSame(updated, updates, count: Self.count * script.stepsOfEntry)

        let removed: [Int64] = [9, 3, 11]
        let other = try TemporaryFolder()
        let again = try filled(arm, other, indexes)
        let removals = try recordedWriting(again) { try again.remove(ids: removed, from: StoreCorpus.soup) }
        try again.close()
        let remover = floor.removals(of: removed)
        let gone = try recorded(floor.connection) { try floor.connection.runFloor(remover, batch: 3) }
        expectSame(gone, removals, count: 3 * remover.stepsOfEntry)
        floor.connection.close()
    }

    @Test(arguments: arms) func `retrievals and all pages run the same statements with the same values`(arm: Arm) throws
    {
        try Self.skipIfMissing(arm)
        let folder = try TemporaryFolder()
        let store = try filled(arm, folder, FloorFill.strings)
        let spec = QuerySpec.all(orderPath: "key", pageSize: 10)
        let ids = (1...10).map { Int64($0 * 7 % 25 + 1) }
        var byStore: [String] = []
        try store.connections.read { (session) throws(Fault) in
            byStore = try session.connection.recordingStatements { () throws(Fault) in
                for id in ids {
                    _ = try session.retrieve([id], from: StoreCorpus.soup)
                }
                let execution = try session.reading { () throws(Fault) in
                    try QueryExecution(spec, soup: StoreCorpus.soup, session: session)
                }
                var position: ResultPage?
                for _ in 0..<2 {
                    let page = position?.last.map { execution.query.page(after: $0) } ?? execution.query.firstPage
                    position = try session.reading { () throws(Fault) in
                        try execution.run(page, limit: 10, session: session).value
                    }
                }
            }
        }
        byStore = byStore.filter(Self.isOfSoup)
        try store.close()

        let floor = try FloorStore(arm, in: folder.path)
        let pages = try floor.pages(spec, count: 2)
        let byFloor = try recorded(floor.connection) {
            try floor.connection.runFloor(FloorStore.ids(ids))
            try floor.connection.runFloor(pages)
        }
        expectSame(byFloor, byStore, count: byStore.count)
        #expect(byStore.count >= 12)
    }

    @Test(arguments: arms) func `queries run the same statements with the same values`(arm: Arm) throws {
        try Self.skipIfMissing(arm)
        let folder = try TemporaryFolder()
        let store = try filled(arm, folder, FloorFill.fullText)
        let specs: [QuerySpec] = [
            .exact(path: "key", matchKey: .string(Self.corpus.key(of: 4)), pageSize: 10),
            .exact(path: "key", matchKey: "missing", pageSize: 10),
            .match(path: "body", matchKey: GeneratedCorpus.commonWord, pageSize: 10),
            .match(path: "body", matchKey: GeneratedCorpus.rareWord, pageSize: 10),
        ]
        var byStore: [String] = []
        try store.connections.read { (session) throws(Fault) in
            byStore = try session.connection.recordingStatements { () throws(Fault) in
                for spec in specs {
                    try session.reading { () throws(Fault) in
                        let execution = try QueryExecution(spec, soup: StoreCorpus.soup, session: session)
                        _ = try execution.run(
                            execution.query.firstPage, limit: spec.pageSize, isFirst: true, session: session)
                    }
                }
            }
        }
        byStore = byStore.filter(Self.isOfSoup)
        var answer = ContentDigest()
        for spec in specs {
            var answers = QueryAnswers()
            try answers.ask([spec], of: store)
            answers.feed(&answer)
        }
        try store.close()

        let floor = try FloorStore(arm, in: folder.path, indexes: FloorFill.fullText)
        let script = try floor.firstPages(specs)
        let byFloor = try recorded(floor.connection) { try floor.connection.runFloor(script) }
        expectSame(byFloor, byStore, count: byStore.count)
        #expect(byStore.count >= specs.count)
        var floorAnswer = ContentDigest()
        try floor.digestFirstPages(specs, into: &floorAnswer)
        #expect(floorAnswer.hex == answer.hex)
    }
}
