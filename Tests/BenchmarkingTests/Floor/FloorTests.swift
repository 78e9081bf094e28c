import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import SoupBenchmarks

@Suite struct FloorTests {
    @Test(arguments: BackEnd.allCases) func theFloorWritesAndReadsWhatItIsGiven(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let connection = try Connection(inMemory: backEnd.library())
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c)")
        let rows = FloorRows(width: 4)
        for id in 1...25 {
            rows.append([.integer(Int64(id)), .text("entry \(id)"), .real(Double(id) / 2), .null])
        }
        let recorded = try connection.recordingStatements { () throws(Fault) in
            let written = try connection.runFloor("INSERT INTO t VALUES (?, ?, ?, ?)", rows: rows, batch: 10)
            #expect(written.rows == 0)
        }
        #expect(recorded.count { $0.hasPrefix("BEGIN") } == 3)
        #expect(recorded.contains("INSERT INTO t VALUES (25, 'entry 25', 12.5, NULL)"))
        let ids = FloorRows(width: 1)
        for id in [3, 25, 99] {
            ids.append([.integer(Int64(id))])
        }
        #expect(try connection.runFloor("SELECT a FROM t WHERE id = ?", rows: ids) == FloorTotal(rows: 2, bytes: 15))
        #expect(!connection.isInTransaction)
    }

    @Test func aFailingRunLeavesNoTransactionBehind() throws {
        let connection = try Connection(inMemory: SQLiteLibrary.find(.plain))
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        let rows = FloorRows(width: 1)
        for _ in 0..<2 {
            rows.append([.integer(1)])
        }
        #expect(throws: Fault.self) { try connection.runFloor("INSERT INTO t VALUES (?)", rows: rows, batch: 10) }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    }
}
