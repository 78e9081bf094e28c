import SmartSQL
import Soups
import Testing

/// The translations of Mobile SDK's unit tests, compared literally.
@Suite struct TranslationTableTests {
    @Test(arguments: [
        (
            "select {employees:firstName}, {employees:lastName} from {employees} order by {employees:lastName}",
            "select TABLE_1_0, TABLE_1_1 from TABLE_1 order by TABLE_1_1"
        ),
        (
            "select {departments:name} from {departments} order by {departments:deptCode}",
            "select TABLE_2_1 from TABLE_2 order by TABLE_2_0"
        ),
        (
            "select {departments:name}, {employees:firstName} || ' ' || {employees:lastName} from {employees}, {departments} where {departments:deptCode} = {employees:deptCode} order by {departments:name}, {employees:lastName}",
            "select TABLE_2_1, TABLE_1_0 || ' ' || TABLE_1_1 from TABLE_1, TABLE_2 where TABLE_2_0 = TABLE_1_2 order by TABLE_2_1, TABLE_1_1"
        ),
        (
            "select mgr.{employees:lastName}, e.{employees:lastName} from {employees} as mgr, {employees} as e where mgr.{employees:employeeId} = e.{employees:managerId}",
            "select mgr.TABLE_1_1, e.TABLE_1_1 from TABLE_1 as mgr, TABLE_1 as e where mgr.TABLE_1_3 = e.TABLE_1_4"
        ),
        (
            "select mgr.{employees:education}, e.{employees:education} from {employees} as mgr, {employees} as e where mgr.{employees:education} = e.{employees:education}",
            "select json_extract(mgr.soup, '$.education'), json_extract(e.soup, '$.education') from TABLE_1 as mgr, TABLE_1 as e where json_extract(mgr.soup, '$.education') = json_extract(e.soup, '$.education')"
        ),
        (
            "select mgr.{employees:education},e.{employees:education} from {employees} as mgr, {employees} as e where not (mgr.{employees:education}=e.{employees:education})",
            "select json_extract(mgr.soup, '$.education'),json_extract(e.soup, '$.education') from TABLE_1 as mgr, TABLE_1 as e where not (json_extract(mgr.soup, '$.education')=json_extract(e.soup, '$.education'))"
        ),
        (
            "select {employees:_soupEntryId}, {employees:_soupCreatedDate}, {employees:_soupLastModifiedDate}, {employees:_soup} from {employees}",
            "select TABLE_1.id, TABLE_1.created, TABLE_1.lastModified, TABLE_1.soup from TABLE_1"
        ),
        (
            "select {employees:_soupEntryId}, {departments:_soupEntryId} from {employees}, {departments}",
            "select TABLE_1.id, TABLE_2.id from TABLE_1, TABLE_2"
        ),
        (
            "select mgr.{employees:_soupEntryId}, e.{employees:_soupEntryId} from {employees} as mgr, {employees} as e",
            "select mgr.id, e.id from TABLE_1 as mgr, TABLE_1 as e"
        ),
        (
            "select {employees:lastName}, {employees:education} from {employees} where {employees:education} = 'MIT'",
            "select TABLE_1_1, json_extract(soup, '$.education') from TABLE_1 where json_extract(soup, '$.education') = 'MIT'"
        ),
        (
            "select {employees}.{employees:education} from {employees} order by {employees}.{employees:education}",
            "select json_extract(TABLE_1.soup, '$.education') from TABLE_1 order by json_extract(TABLE_1.soup, '$.education')"
        ),
        (
            "select e.{employees:education}, {departments:building} from {employees} as e, {departments}",
            "select json_extract(e.soup, '$.education'), json_extract(soup, '$.building') from TABLE_1 as e, TABLE_2"
        ),
        (
            "select {employees:education} from {employees} where {employees:education} like 'Account(where: {Name: {eq: \"Jason\"}})'",
            "select json_extract(soup, '$.education') from TABLE_1 where json_extract(soup, '$.education') like 'Account(where: {Name: {eq: \"Jason\"}})'"
        ),
        (
            "select {employees:education} from {employees} where {employees:education} like ' { { { } } '",
            "select json_extract(soup, '$.education') from TABLE_1 where json_extract(soup, '$.education') like ' { { { } } '"
        ),
        (
            "select json_group_array(json_set('{}', '$.a', 'Account'.TABLE_1_1)) as 'Account.JSON' from (select '{}' x, 'Account'.TABLE_1_1 from TABLE_1 as 'Account')",
            "select json_group_array(json_set('{}', '$.a', 'Account'.TABLE_1_1)) as 'Account.JSON' from (select '{}' x, 'Account'.TABLE_1_1 from TABLE_1 as 'Account')"
        ),
    ]) func `the text is translated byte for byte`(_ smart: String, _ sql: String) throws {
        #expect(try CompanySoups.translate(smart).sql == sql)
    }

    @Test(arguments: [
        (
            "select {employees:education}, {employees:address.zipcode} from {employees} where {employees:address.city} = 'San Francisco'",
            "select json_extract(soup, '$.education'), json_extract(soup, '$.address.zipcode') from TABLE_1 where json_extract(soup, '$.address.city') = 'San Francisco'"
        ),
        (
            "select {employees:education}, '{a:b}', {employees:firstName} from {employees} where {employees:address} = '{\"city\": \"San Francisco\"}' or {employees:lastName} like 'B%'",
            "select json_extract(soup, '$.education'), '{a:b}', TABLE_1_0 from TABLE_1 where json_extract(soup, '$.address') = '{\"city\": \"San Francisco\"}' or TABLE_1_1 like 'B%'"
        ),
        (
            "select 'Account'.{employees:x} from {employees} as 'Account'",
            "select json_extract('Account'.soup, '$.x') from TABLE_1 as 'Account'"
        ),
        (
            "select [my e] . {employees:x[0]} from {employees} [my e]",
            "select json_extract([my e] . soup, '$.\"x[0]\"') from TABLE_1 [my e]"
        ),
        ("select {employees:it's} from {employees}", "select json_extract(soup, '$.it''s') from TABLE_1"),
    ]) func `paths without an index are read where that is allowed`(_ smart: String, _ sql: String) throws {
        #expect(try CompanySoups.translate(smart, permissive: true).sql == sql)
        #expect(
            CompanySoups.fault(smart)?.code
                == (smart.contains("employees:address") || smart.contains("employees:x") || smart.contains("it's")
                    ? .pathNotIndexed : nil))
    }

    @Test(arguments: ["a\"b", "a\\b", "a..b", ".a", "a\u{1}"]) func `paths that no expression can name are refused`(
        _ path: String
    ) {
        #expect(
            CompanySoups.fault("select {employees:\(path)} from {employees}", permissive: true)?.code == .pathNotIndexed
        )
    }

    @Test func `odd names are taken as they are`() throws {
        let text =
            "select {o'brien \"x\":a b}, {o'brien \"x\":it's.here}, x.{o'brien \"x\":it's.here} from {o'brien \"x\"} x"
        #expect(
            try CompanySoups.translate(text).sql
                == "select TABLE_4_0, json_extract(soup, '$.it''s.here'), json_extract(x.soup, '$.it''s.here') from TABLE_4 x"
        )
    }

    @Test func `an entry kept in a file is named by its table and id`() throws {
        #expect(
            try CompanySoups.translate("select {files:_soup} from {files}").sql
                == "select 'TABLE_3' as 'externalStorage', TABLE_3.id as '_soupEntryId' from TABLE_3")
        #expect(
            try CompanySoups.translate("select f.{files:_soup} from {files} f").sql
                == "select 'TABLE_3' as 'externalStorage', f.id as '_soupEntryId' from TABLE_3 f")
    }
}
