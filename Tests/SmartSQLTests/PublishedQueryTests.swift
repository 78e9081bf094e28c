import SmartSQL
import Soups
import Testing

/// The texts of Mobile SDK's unit tests, compared literally.
@Suite struct PublishedQueryTests {
    private func published(_ spec: QuerySpec) throws -> PublishedQuery {
        try PublishedQuery(spec, soupName: "employees")
    }

    @Test func `an all query has no condition and a count without order`() throws {
        let query = try published(.all(orderPath: "lastName", order: .descending))
        #expect(query.smartSql == "SELECT {employees:_soup} FROM {employees} ORDER BY {employees:lastName} DESC ")
        #expect(query.countSmartSql == "SELECT count(*) FROM {employees} ")
        #expect(query.idsSmartSql == "SELECT id FROM {employees} ORDER BY {employees:lastName} DESC ")
        #expect(try published(.all()).smartSql == "SELECT {employees:_soup} FROM {employees} ")
    }

    @Test func `selected paths replace the entry`() throws {
        let query = try published(
            .all(orderPath: "lastName", order: .descending, selectPaths: ["firstName", "lastName"]))
        #expect(
            query.smartSql
                == "SELECT {employees:firstName}, {employees:lastName} FROM {employees} ORDER BY {employees:lastName} DESC "
        )
        #expect(query.countSmartSql == "SELECT count(*) FROM {employees} ")
    }

    @Test(arguments: [
        (QuerySpec.Key?("a"), QuerySpec.Key?("b"), "WHERE {employees:lastName} >= ? AND {employees:lastName} <= ? "),
        ("a", nil, "WHERE {employees:lastName} >= ? "), (nil, "b", "WHERE {employees:lastName} <= ? "), (nil, nil, ""),
    ]) func `a range has a condition for each bound`(
        _ begin: QuerySpec.Key?, _ end: QuerySpec.Key?, _ condition: String
    ) throws {
        let query = try published(.range(path: "lastName", from: begin, through: end, orderPath: "lastName"))
        #expect(
            query.smartSql == "SELECT {employees:_soup} FROM {employees} \(condition)ORDER BY {employees:lastName} ASC "
        )
        #expect(query.countSmartSql == "SELECT count(*) FROM {employees} \(condition)")
        #expect(query.idsSmartSql == "SELECT id FROM {employees} \(condition)ORDER BY {employees:lastName} ASC ")
    }

    @Test func `exact and like compare with one parameter`() throws {
        #expect(
            try published(.exact(path: "lastName", matchKey: "Bond", orderPath: "firstName")).smartSql
                == "SELECT {employees:_soup} FROM {employees} WHERE {employees:lastName} = ? ORDER BY {employees:firstName} ASC "
        )
        #expect(
            try published(.like(path: "lastName", likeKey: "B%")).countSmartSql
                == "SELECT count(*) FROM {employees} WHERE {employees:lastName} LIKE ? ")
    }

    @Test func `match holds its key qualified and as a literal`() throws {
        let query = try published(.match(path: "lastName", matchKey: "Bond", orderPath: "firstName"))
        let condition =
            "WHERE {employees:_soupEntryId} IN (SELECT rowid FROM {employees}_fts WHERE {employees}_fts MATCH '{employees:lastName}:Bond') "
        #expect(
            query.smartSql
                == "SELECT {employees:_soup} FROM {employees} \(condition)ORDER BY {employees:firstName} ASC ")
        #expect(query.countSmartSql == "SELECT count(*) FROM {employees} \(condition)")
        #expect(try published(.match(matchKey: "o'neil")).countSmartSql.hasSuffix("MATCH 'o''neil') "))
    }

    /// Count and ids have the condition of the query, and ids also its order, but neither has its select paths.
    @Test(arguments: [
        (QuerySpec.all(orderPath: "lastName", selectPaths: ["firstName"]), ""),
        (
            .range(path: "lastName", from: "a", through: "b", orderPath: "lastName"),
            "WHERE {employees:lastName} >= ? AND {employees:lastName} <= ? "
        ),
        (.exact(path: "lastName", matchKey: "Bond", orderPath: "lastName"), "WHERE {employees:lastName} = ? "),
        (
            .like(path: "lastName", likeKey: "Bo%", orderPath: "lastName", selectPaths: ["firstName"]),
            "WHERE {employees:lastName} LIKE ? "
        ),
        (
            .match(path: "lastName", matchKey: "Bond", orderPath: "lastName"),
            "WHERE {employees:_soupEntryId} IN (SELECT rowid FROM {employees}_fts WHERE {employees}_fts MATCH '{employees:lastName}:Bond') "
        ),
    ]) func `count and ids have the condition of the query`(_ spec: QuerySpec, _ condition: String) throws {
        let query = try published(spec)
        #expect(query.countSmartSql == "SELECT count(*) FROM {employees} " + condition)
        #expect(query.idsSmartSql == "SELECT id FROM {employees} \(condition)ORDER BY {employees:lastName} ASC ")
        #expect(query.smartSql.hasSuffix("FROM {employees} \(condition)ORDER BY {employees:lastName} ASC "))
    }

    @Test func `a smart query is wrapped`() throws {
        let query = try published(.smart("select {employees:lastName} from {employees}"))
        #expect(query.smartSql == "select {employees:lastName} from {employees}")
        #expect(query.countSmartSql == "SELECT count(*) FROM (select {employees:lastName} from {employees})")
        #expect(query.idsSmartSql == "SELECT id FROM (select {employees:lastName} from {employees})")
    }

    /// Match keys with and without qualified terms.
    @Test(arguments: [
        ("{soup:path}:", "abc", "{soup:path}:abc"),
        ("{soup:path1}:", "{soup:path2}:abc", "{soup:path2}:abc"),
        ("{soup:path}:", "abc AND def", "{soup:path}:abc AND {soup:path}:def"),
        ("{soup:path}:", "abc OR def", "{soup:path}:abc OR {soup:path}:def"),
        ("{soup:path1}:", "abc OR {soup:path2}:def", "{soup:path1}:abc OR {soup:path2}:def"),
        ("{soup:path}:", "(abc AND def) OR ghi", "({soup:path}:abc AND {soup:path}:def) OR {soup:path}:ghi"),
        (
            "{soup:path1}:", "(abc AND {soup:path2}:def) OR ghi",
            "({soup:path1}:abc AND {soup:path2}:def) OR {soup:path1}:ghi"
        ),
        (
            "{soup:path1}:", "((abc AND {soup:path2}:def) AND NOT ghi) OR jkl",
            "(({soup:path1}:abc AND {soup:path2}:def) AND NOT {soup:path1}:ghi) OR {soup:path1}:jkl"
        ),
        ("{s:p}:", "\"foo bar\" NEAR(a b, 3)  and", "{s:p}:\"foo bar\" {s:p}:NEAR(a b, 3)  {s:p}:and"),
    ]) func `terms are qualified in their positions`(_ prefix: String, _ text: String, _ qualified: String) throws {
        #expect(try MatchExpression.qualified(text, by: prefix) == qualified)
    }
}
