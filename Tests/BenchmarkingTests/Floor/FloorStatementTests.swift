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
    private func store(in folder: TemporaryFolder) throws -> SmartStore {
        let store = try StorageArm.open(.plain, in: folder.path)
        _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: FloorStore.indexes)
        return store
    }

    /// The statements on one of the store's connections, without those that begin and end a transaction or read the
    /// schema version.
    private func recorded(_ connection: Connection, _ work: () throws -> Void) throws -> [String] {
        var failure: (any Error)?
        let texts = try connection.recordingStatements { () throws(Fault) in
            do { try work() } catch { failure = error }
        }
        if let failure {
            throw failure
        }
        return texts.filter { text in !["BEGIN", "COMMIT", "PRAGMA", "SELECT seq"].contains { text.hasPrefix($0) } }
    }

    @Test func tenUpsertsRunTheSameStatementsWithTheSameValues() throws {
        let corpus = GeneratedCorpus(seed: 3)
        let entries = (0..<10).map { corpus.document(at: $0) }
        let storeFolder = try TemporaryFolder()
        let store = try store(in: storeFolder)
        var byStore: [String] = []
        try store.connections.write { (session, _) throws(Fault) in
            byStore = try session.connection.recordingStatements { () throws(Fault) in
                try store.upsert(entries, into: StoreCorpus.soup)
            }
        }
        byStore = byStore.filter { $0.hasPrefix("INSERT") }
        try store.close()
        #expect(byStore.count == 10)

        let written = try FloorStore(.floor, in: storeFolder.path)
        let rows = try written.insertedRows()
        written.connection.close()
        let floorFolder = try TemporaryFolder()
        try self.store(in: floorFolder).close()
        let floor = try FloorStore(.floor, in: floorFolder.path)
        let byFloor = try recorded(floor.connection) {
            _ = try floor.connection.runFloor(FloorStore.insert, rows: rows, batch: 1_000)
        }
        #expect(byFloor == byStore)
    }

    @Test func tenRetrievalsAndAllPagesRunTheSameStatementsWithTheSameValues() throws {
        let corpus = GeneratedCorpus(seed: 3)
        let folder = try TemporaryFolder()
        let store = try store(in: folder)
        try store.upsert((0..<25).map { corpus.document(at: $0) }, into: StoreCorpus.soup)
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
        byStore = byStore.filter { $0.hasPrefix("SELECT") && $0.contains("TABLE_1 ") }
        try store.close()

        let floor = try FloorStore(.floor, in: folder.path)
        let runs = try floor.pages(spec, count: 2)
        let byFloor = try recorded(floor.connection) {
            _ = try floor.connection.runFloor(FloorStore.lookUp, rows: FloorStore.ids(ids))
            for run in runs {
                _ = try floor.connection.runFloor(run.sql, rows: run.rows)
            }
        }
        // The floor runs each text for all pages at once, the store page by page.
        #expect(
            byFloor.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                == byStore.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(byStore.count >= 12)
    }
}
