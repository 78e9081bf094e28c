import SQLiteAccess
import SmartSQL
import Soups
import TestSupport
import Testing

/// Runs translated texts on each back end.
@Suite struct TranslatedQueryTests {
    /// A store with employees and departments.
    private struct Company {
        let connection: Connection

        init(_ backEnd: BackEnd) throws {
            connection = try Connection(inMemory: backEnd.library())
            try connection.execute(
                """
                CREATE TABLE TABLE_1 (id INTEGER PRIMARY KEY AUTOINCREMENT, soup TEXT, created INTEGER, lastModified INTEGER,
                    TABLE_1_0 TEXT, TABLE_1_1 TEXT, TABLE_1_2 TEXT, TABLE_1_3 TEXT, TABLE_1_4 TEXT, TABLE_1_5 INTEGER);
                CREATE TABLE TABLE_2 (id INTEGER PRIMARY KEY AUTOINCREMENT, soup TEXT, created INTEGER, lastModified INTEGER,
                    TABLE_2_0 TEXT, TABLE_2_1 TEXT, TABLE_2_2 INTEGER);
                CREATE TABLE soup_attrs (id INTEGER, soupName TEXT);
                """)
            let employees = [
                ("Christine", "Haas", "A00", "00010", nil, 200_000, "MIT"),
                ("Michael", "Thompson", "A00", "00020", "00010", 120_000, "MIT"),
                ("Sally", "Kwan", "A00", "00310", "00010", 100_000, "Yale"),
                ("John", "Geyer", "B00", "00040", nil, 102_000, "Yale"),
                ("Irving", "Stern", "B00", "00050", "00040", 100_000, "MIT"),
            ]
            for (first, last, department, id, manager, salary, education) in employees {
                let insert = try connection.statement(
                    """
                    INSERT INTO TABLE_1(soup, TABLE_1_0, TABLE_1_1, TABLE_1_2, TABLE_1_3, TABLE_1_4, TABLE_1_5) VALUES
                    (json_object('firstName', ?1, 'education', ?7), ?1, ?2, ?3, ?4, ?5, ?6)
                    """)
                let values: [SQLValue] = [
                    .text(first), .text(last), .text(department), .text(id), manager.map { .text($0) } ?? .null,
                    .integer(Int64(salary)), .text(education),
                ]
                for (index, value) in values.enumerated() {
                    try insert.bind(value, at: index + 1)
                }
                try insert.run()
            }
            try connection.execute(
                """
                INSERT INTO TABLE_2(soup, TABLE_2_0, TABLE_2_1, TABLE_2_2) VALUES
                ('{"building":"MIT"}', 'A00', 'Sales', 1000000), ('{"building":"Yale"}', 'B00', 'R&D', 2000000)
                """)
        }

        func rows(
            _ text: String, _ arguments: [SQLValue] = [], form: TranslatedQuery.Form = .rows
        ) throws(Fault) -> [[SQLValue]] {
            let query = try TranslatedQuery(text, catalogue: CompanySoups())
            do throws(Fault) {
                let statement = try connection.prepare(query.sql(form))
                for (index, value) in arguments.enumerated() {
                    try statement.bind(value, at: index + 1)
                }
                var rows: [[SQLValue]] = []
                while try statement.step() {
                    rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
                }
                return rows
            } catch { throw query.located(error, in: form) }
        }

        func texts(_ text: String, _ arguments: [SQLValue] = []) throws -> [[String]] {
            try rows(text, arguments).map { row in
                row.map { value in
                    switch value {
                    case .null: "null"
                    case .integer(let number): "\(number)"
                    case .real(let number): "\(number)"
                    case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
                    }
                }
            }
        }
    }

    @Test(arguments: BackEnd.allCases) func `joins aggregates windows and definitions run`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let company = try Company(backEnd)
        #expect(try company.texts("select count(*) from {employees}") == [["5"]])
        #expect(try company.texts("select sum({departments:budget}) from {departments}") == [["3000000"]])
        #expect(
            try company.texts(
                "select mgr.{employees:salary}, e.{employees:salary} from {employees} as mgr, {employees} as e where mgr.{employees:employeeId} = e.{employees:managerId} and e.{employees:lastName} = ?",
                [.text("Thompson")]) == [["200000", "120000"]])
        #expect(
            try company.texts(
                "with rich as (select {employees:lastName} n, {employees:salary} s from {employees} where {employees:salary} > 110000) select n from rich order by s"
            )
                == [["Thompson"], ["Haas"]])
        #expect(
            try company.texts(
                "select {employees:lastName}, rank() over (partition by {employees:deptCode} order by {employees:salary} desc) from {employees} order by 2, 1"
            )
                == [["Geyer", "1"], ["Haas", "1"], ["Stern", "2"], ["Thompson", "2"], ["Kwan", "3"]])
        #expect(
            try company.texts(
                "select {employees:lastName} from {employees} where {employees:deptCode} = 'B00' union select {departments:name} from {departments} order by 1"
            )
                == [["Geyer"], ["R&D"], ["Sales"], ["Stern"]])
    }

    /// A correlated subquery must not silently read the inner soup.
    @Test(arguments: BackEnd.allCases) func `paths over the entry are that soup's even in joins and subqueries`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let company = try Company(backEnd)
        #expect(
            try company.texts(
                "select {employees:lastName}, {departments:building} from {employees}, {departments} where {employees:education} = {departments:building} and {employees:salary} = 102000"
            )
                == [["Geyer", "Yale"]])
        #expect(
            try company.texts(
                "select {employees:lastName} from {employees} join ({departments}) on {employees:education} = {departments:building} where {departments:name} = 'Sales' order by 1"
            )
                == [["Haas"], ["Stern"], ["Thompson"]])
        #expect(
            try company.texts(
                "select {employees:lastName} from {employees} where exists (select 1 from {departments} where {departments:building} = {employees:education} and {departments:name} = 'R&D') order by 1"
            )
                == [["Geyer"], ["Kwan"]])
        #expect(
            try company.texts(
                "select {employees:lastName}, {employees:_soupEntryId} from {employees} as e, {departments} where {employees:education} = 'Yale' and {departments:name} = 'Sales' order by 1"
            )
                == [["Geyer", "4"], ["Kwan", "3"]])
        #expect(
            try company.texts("select json_extract(soup, '$.building') from (select * from {departments}) order by 1")
                == [["MIT"], ["Yale"]])
        #expect(
            try company.texts("select {departments:building} from (select * from {departments}) order by 1") == [
                ["MIT"], ["Yale"],
            ])
        #expect(
            try company.texts(
                "select (select max({employees:education}) from {employees}), {departments:building} from {departments} order by 2"
            ) == [["Yale", "MIT"], ["Yale", "Yale"]])
    }

    @Test(arguments: BackEnd.allCases) func `a page, a count and ids are made of any text`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let company = try Company(backEnd)
        for end in ["", ";", " ; -- end", " -- end", "/* end */", " /* open"] {
            let text =
                "select {employees:_soupEntryId}, {employees:_soup}, {employees:_soup} from {employees} where {employees:salary} > ?2 order by {employees:lastName} desc"
                + end
            #expect(
                try company.rows(text, [.null, .integer(100_000), .integer(2), .integer(1)], form: .page).map { $0[0] }
                    == [.integer(1), .integer(4)])
            #expect(try company.rows(text, [.null, .integer(100_000)], form: .count) == [[.integer(3)]])
            #expect(try company.rows(text, [.null, .integer(100_000)], form: .ids).count == 3)
            let query = try TranslatedQuery(text, catalogue: CompanySoups())
            let statement = try company.connection.prepare(query.sql(.page))
            #expect(
                (0..<3).map { query.holdsEntries(column: statement.columnName(at: $0)) } == [
                    false, true, true,
                ])
        }
        let query = try TranslatedQuery("select {employees:_soup} as x from {employees}", catalogue: CompanySoups())
        let aliased = try company.connection.prepare(query.sql(.page))
        #expect(!query.holdsEntries(column: aliased.columnName(at: 0)))
    }

    @Test(
        arguments: BackEnd.allCases,
        [
            ("select {employees:lastName}, nowhere from {employees}", 29),
            ("select e.{employees:education}, nowhere from {employees} e", 32),
            ("select {employees:education}, {departments:building}, nowhere from {employees}, {departments}", 54),
            ("select x.{employees:lastName} from {employees}", 7),
            ("select 1, xyz.{employees:education} from {employees}", 10),
            ("select nofunction({employees:lastName}) from {employees}", 7),
            ("select {employees:lastName} frm {employees}", 32),
            ("select {employees:lastName} from {employees} wher 1", 50),
        ]) func `errors of SQLite point into the text given`(
            _ backEnd: BackEnd, _ wrong: (text: String, offset: Int)
        ) throws
    {
        try backEnd.skipIfMissing()
        let (text, offset) = wrong
        let company = try Company(backEnd)
        for form in [TranslatedQuery.Form.rows, .page, .count] {
            let fault = #expect(throws: Fault.self) { try company.rows(text, form: form) }
            #expect(fault?.code == .sqlError)
            #expect(fault?.offset == offset, "\(text) \(form) \(fault.map(String.init(describing:)) ?? "")")
        }
    }

    @Test func `aliases of soups are reported`() throws {
        let text =
            "select 1 from {employees} e join {departments} as \"d p\" on 1, {employees}, (select * from {employees} [x y] where 1) s"
        #expect(
            try CompanySoups.translate(text).aliases.map { "\($0.alias)=\($0.soupName)" } == [
                "e=employees", "d p=departments", "x y=employees",
            ])
    }

    @Test func `a long text costs in proportion`() throws {
        func text(_ count: Int) -> String {
            "select e.{employees:education}, {employees:lastName} from {employees} e where {employees:lastName} in ("
                + (0..<count).map { "'name \($0) {'" }.joined(separator: ", ") + ") and e.{employees:education} in ("
                + (0..<count).map { _ in "e.{employees:education}" }.joined(separator: ", ") + ")"
        }
        let short = text(640)
        let long = text(6_400)
        #expect((24_000...28_000).contains(short.utf8.count))
        func took(_ text: String) throws -> Duration {
            try ThreadTime.measure { _ = try CompanySoups.translate(text) }
        }
        // The minimum of interleaved rounds. A quadratic translation would take 100 times as long; `soup bench` allows
        // 12 times on a quiet machine.
        var least = (short: Duration.seconds(60), long: Duration.seconds(60))
        for _ in 0..<9 {
            least = try (min(least.short, took(short)), min(least.long, took(long)))
        }
        #expect(least.long / least.short <= 40)
    }
}
