import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

@Suite struct FloorTests {
    @Test(arguments: BackEnd.allCases) func `the floor writes and reads what it is given`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let connection = try Connection(inMemory: backEnd.library())
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c)")
        let inserts = FloorScript()
        for id in 1...25 {
            inserts.append(
                "INSERT INTO t VALUES (?, ?, ?, ?)",
                [.integer(Int64(id)), .text("entry \(id)"), .real(Double(id) / 2), .null])
        }
        let recorded = try connection.recordingStatements { () throws(Fault) in
            let written = try connection.runFloor(inserts, batch: 10)
            #expect(written.rows == 0)
        }
        #expect(recorded.count { $0.hasPrefix("BEGIN") } == 3 && recorded.count { $0.hasPrefix("COMMIT") } == 3)
        #expect(recorded.contains("INSERT INTO t VALUES (25, 'entry 25', 12.5, NULL)"))
        let reads = FloorScript()
        for id in [3, 25, 99] {
            reads.append("SELECT a FROM t WHERE id = ?", [.integer(Int64(id))])
        }
        #expect(try connection.runFloor(reads) == FloorTotal(rows: 2, bytes: 15))
        #expect(!connection.isInTransaction)
    }

    /// Statements of a script keep their order, and an entry's statements are in one transaction.
    @Test func `statements take turns and entries stay together`() throws {
        let connection = try Connection(inMemory: SQLiteLibrary.find(.plain))
        try connection.execute("CREATE TABLE t (a); CREATE TABLE u (a)")
        let script = FloorScript(stepsOfEntry: 2)
        for id in 1...3 {
            script.append("INSERT INTO t VALUES (?)", [.integer(Int64(id))])
            script.append("INSERT INTO u VALUES (?)", [.integer(Int64(-id))])
        }
        let recorded = try connection.recordingStatements { () throws(Fault) in
            try connection.runFloor(script, batch: 2)
        }
        #expect(
            recorded == [
                "BEGIN IMMEDIATE", "INSERT INTO t VALUES (1)", "INSERT INTO u VALUES (-1)",
                "INSERT INTO t VALUES (2)", "INSERT INTO u VALUES (-2)", "COMMIT", "BEGIN IMMEDIATE",
                "INSERT INTO t VALUES (3)", "INSERT INTO u VALUES (-3)", "COMMIT",
            ])
        #expect(script.statements.count == 2 && script.count == 6)
    }

    @Test func `a failing run leaves no transaction behind`() throws {
        let connection = try Connection(inMemory: SQLiteLibrary.find(.plain))
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        let script = FloorScript()
        for _ in 0..<2 {
            script.append("INSERT INTO t VALUES (?)", [.integer(1)])
        }
        #expect(throws: Fault.self) { try connection.runFloor(script, batch: 10) }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        let wrong = FloorScript()
        wrong.append("SELECT nonsense FROM nothing", [])
        #expect(throws: Fault.self) { try connection.runFloor(wrong) }
    }

    /// Every kind of work on a hot path is compared with the floor on both back ends, and gates in the quick profile.
    @Test func `the quick profile compares the store with the floor on both back ends`() throws {
        let scope = CellScope(profile: Profile(.quick))
        let quick = PlannedCell.ofProfile(
            .quick, SoupCells().cells(scope).map { PlannedCell($0, profile: scope.profile) })
        let works = [
            "upsert-string", "upsert-json1", "upsert-full-text", "upsert-ids-string", "update", "delete", "retrieve",
            "page", "exact", "match",
        ]
        for work in works {
            let planned = try #require(quick.first { $0.cell.id == "store-over-floor/entries=1000;work=\(work)" })
            #expect(
                planned.comparisons == [
                    .init("plain/floor", "plain/store"), .init("cipher/floor", "cipher/store"),
                ])
            #expect(planned.comparisons.allSatisfy(\.isOverFloor) && planned.comparisons.allSatisfy(\.sameAnswer))
        }
        #expect(quick.count { $0.cell.workload == "store-over-floor" } == works.count)
    }
}
