import SQLiteAccess
import Soups
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test(arguments: BackEnd.allCases) func `rows written are read after reopening`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let first = try backEnd.connect(folder.file("a.db"))
        try first.execute("CREATE TABLE t (a INTEGER, b REAL, c TEXT, d BLOB, e)")
        let insert = try first.statement("INSERT INTO t VALUES (?, ?, ?, ?, ?)")
        let row: [SQLValue] = [.integer(.max), .real(0.1), .text("zürich\0x"), .blob([0, 255]), .null]
        for (index, value) in row.enumerated() {
            try insert.bind(value, at: index + 1)
        }
        try insert.run()
        first.close()

        let second = try backEnd.connect(folder.file("a.db"), access: .readWrite)
        let select = try second.statement("SELECT * FROM t")
        #expect(try select.step())
        #expect((0..<5).map { select.value(at: $0) } == row)
        #expect(try !select.step())
    }

    @Test(arguments: BackEnd.allCases) func `an error in a text carries its offset`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let connection = try Connection(inMemory: backEnd.library())
        let fault = #expect(throws: Fault.self) { try connection.statement("SELECT 1, nowhere") }
        #expect(fault?.code == .sqlError)
        #expect(fault?.offset == 10)
        #expect(throws: Fault.self) { try connection.statement("SELECT 1; SELECT 2") }
        #expect(throws: Fault.self) { try connection.statement(" -- nothing") }
    }

    @Test(arguments: BackEnd.allCases) func `a failing transaction leaves nothing and a savepoint only itself`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let connection = try Connection(inMemory: backEnd.library())
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        #expect(throws: Fault.self) {
            try connection.transaction { () throws(Fault) in
                try connection.execute("INSERT INTO t VALUES (1)")
                try connection.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        try connection.transaction { () throws(Fault) in
            try connection.execute("INSERT INTO t VALUES (1)")
            try? connection.transaction { () throws(Fault) in
                try connection.execute("INSERT INTO t VALUES (2)")
                throw Fault(.invalidEntry, "no")
            }
        }
        #expect(try connection.integer("SELECT sum(a) FROM t") == 1)
        #expect(!connection.isInTransaction)
    }

    @Test(arguments: BackEnd.allCases) func `a statement in use is not handed out twice`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let connection = try Connection(inMemory: backEnd.library())
        let outer = try connection.statement("SELECT 1 UNION SELECT 2")
        #expect(try outer.step())
        let inner = try connection.statement("SELECT 1 UNION SELECT 2")
        #expect(try inner.step())
        #expect(outer !== inner)
        #expect(try outer.step())
        #expect(outer.integer(at: 0) == 2)
    }

    @Test(arguments: BackEnd.allCases) func `after close everything says closed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let connection = try Connection(inMemory: backEnd.library())
        let statement = try connection.prepare("SELECT 1")
        connection.close()
        #expect(throws: Fault.self) { try statement.step() }
        #expect(throws: Fault.self) { try connection.execute("SELECT 1") }
        #expect(throws: Fault.self) { try connection.statement("SELECT 1") }
        #expect(statement.value(at: 0) == .null)
    }

    @Test(arguments: BackEnd.allCases) func `a file that may not grow is a full disk`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let connection = try backEnd.connect(folder.file("a.db"), settings: ConnectionSettings(maximumPageCount: 16))
        try connection.execute("CREATE TABLE t (a)")
        let fault = #expect(throws: Fault.self) {
            try connection.transaction { () throws(Fault) in
                for _ in 0..<64 {
                    try connection.execute("INSERT INTO t VALUES (zeroblob(4000))")
                }
            }
        }
        #expect(fault?.code == .diskFull)
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        try connection.execute("INSERT INTO t VALUES (1)")
    }

    @Test(arguments: BackEnd.allCases) func `bound values never appear in faults`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let connection = try Connection(inMemory: backEnd.library())
        let statement = try connection.statement("SELECT json_extract('{}', ?)")
        try statement.bind(text: "secret-marker", at: 1)
        let fault = #expect(throws: Fault.self) { try statement.step() }
        #expect(fault.map { "\($0)".contains("secret-marker") } == false)
    }
}
