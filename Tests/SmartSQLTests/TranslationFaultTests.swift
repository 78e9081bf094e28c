import SmartSQL
import Soups
import TestSupport
import Testing

@Suite struct TranslationFaultTests {
    @Test(arguments: [
        ("{", Fault.Code.invalidReference, 0), ("", .notASelect, 0), ("insert {", .notASelect, 0),
        ("{employees}", .notASelect, 0), ("  -- nothing\n", .notASelect, 0),
        ("insert into {employees} values (1)", .notASelect, 0),
        (" update {employees} set a = 1", .notASelect, 1), ("DELETE from {employees}", .notASelect, 0),
        ("pragma user_version", .notASelect, 0),
        ("attach 'x' as y", .notASelect, 0), ("replace into x values (1)", .notASelect, 0),
        ("explain select 1", .notASelect, 0),
        ("values (1)", .notASelect, 0), ("(select 1)", .notASelect, 0), ("select 1; select 2", .notASelect, 10),
        ("select 1;;/**/x", .notASelect, 9),
        ("with a as (select 1) delete from {employees}", .notASelect, 21),
        ("with a(x) as (select 1), b as (values (1)) insert into t select 1", .notASelect, 43),
        ("with a as (select 1)", .notASelect, 20), (";select 1", .notASelect, 0), ("selec 1", .notASelect, 0),
        ("select {nobody:x} from {nobody}", .soupNotFound, 7), ("select 1 from {Employees}", .soupNotFound, 14),
        ("select { employees} from x", .soupNotFound, 7),
        ("select {employees:nothing} from {employees}", .pathNotIndexed, 7),
        ("select {employees:LastName} from {employees}", .pathNotIndexed, 7),
        ("select {employees:a:b} from {employees}", .invalidReference, 7),
        ("select {nobody:a:b}", .invalidReference, 7), ("select {} from x", .invalidReference, 7),
        ("select {employees:} from {employees}", .invalidReference, 7), ("select {:x}", .invalidReference, 7),
        ("select {:}", .invalidReference, 7),
        ("select {employees", .invalidReference, 7), ("select {emp{loyees}", .invalidReference, 7),
        ("select 1 }", .invalidReference, 9),
        ("select 'é', {employees", .invalidReference, 13),
        ("select 1 from {employees} where {employees:lastName} match 'x'", .matchInSmartSQL, 53),
        ("select match('a', b)", .matchInSmartSQL, 7),
        ("select 'x", .sqlError, 7), ("select \"x", .sqlError, 7), ("select [x", .sqlError, 7),
        ("select `x", .sqlError, 7), ("select 1\0; drop table x", .sqlError, 8),
        ("select '\0'", .sqlError, 8), ("select ?0", .sqlError, 7), ("select $a(b", .sqlError, 7),
        ("select :a(b c)", .sqlError, 7), ("select 1) union select * from (select 2", .sqlError, 8),
        ("select (1", .sqlError, 7), ("select (1))", .sqlError, 10),
        ("select ((1; drop table x", .notASelect, 12), ("select ?99999999999999999999", .sqlError, 7),
    ]) func `refused texts have a code and a place`(_ text: String, _ code: Fault.Code, _ offset: Int) {
        let fault = CompanySoups.fault(text)
        #expect(fault?.code == code, "\(text)")
        #expect(fault?.offset == offset, "\(text)")
    }

    @Test(arguments: [
        "select 1", "select 1;", "select 1 ; -- done", "select 1 /* open",
        "SELECT '{', \"{\", `{`, [{] -- {\n, 1 /* { */ from {employees}",
        "with a as (select 1) select * from a",
        "with recursive a(x) as (select 1 union all select x + 1 from a limit 3), b as materialized (select 2) select * from a, b",
        "select 'match' as match, \"match\", t.match -- match\n from {employees} t",
        "select x'7b', 0x7B, 1e-3, .5, 1.5e+10",
        "select ?, ?2, :a, @b, $c::d(e), #f", "select 1 as x where 2 is distinct from 1",
    ]) func `other texts are not`(_ text: String) throws {
        #expect(CompanySoups.fault(text) == nil, "\(text)")
    }

    @Test(arguments: [
        ("select 1", 0), ("select ?, ?", 2), ("select ?1, ?1", 1), ("select ?3", 3), ("select ?, ?1, ?", 2),
        ("select :a, :a, @a, $a", 3), ("select ?2, ?", 3),
        ("select '?', \"?\", [?] -- ?\n", 0), ("select :a, ?", 2), ("select :a::b, @a(b), :a", 3), ("select ?5, :a", 6),
    ]) func `parameters are counted as SQLite counts them`(_ text: String, _ count: Int) throws {
        let query = try CompanySoups.translate(text)
        #expect(query.parameterCount == count)
        try query.checkArguments(count)
        let fault = #expect(throws: Fault.self) { try query.checkArguments(count + 1) }
        #expect(fault?.code == .argumentsMismatch)
    }

    @Test func `a million braces or quotes fail at once`() {
        for text in [
            "{", "'", "\"", "(", "select {", "select '", "select (", "select {employees}.", "e.{employees:education}",
            "select 1;", "select $a(", "$a(b", ":a::",
        ] {
            let long = String(repeating: text, count: 100_000)
            let elapsed = ThreadTime.measure { _ = CompanySoups.fault(long) }
            #expect(elapsed < .seconds(20), "\(text): \(elapsed)")
        }
    }
}
