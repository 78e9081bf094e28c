import OData
import OfflineOData
import OfflineStore
import Soups

/// A construct of filters, and how it is answered by each kind of index of the path `{p}`.
struct AnswerSample: Sendable {
    let construct: String
    let filter: String
    let version: ODataVersion

    init(_ construct: String, _ filter: String, _ version: ODataVersion = .v401) {
        self.construct = construct
        self.filter = filter
        self.version = version
    }

    /// The line of the table.
    func line(in store: SmartStore, soup: String) throws -> String {
        let answers = try [["S", "T"], ["J"], ["I", "F"], ["N"]].map { paths in
            try Set(paths.map { try answer(in: store, soup: soup, path: $0) }).sorted().joined(separator: " or ")
        }
        return "| \(construct) | " + answers.joined(separator: " | ") + " |"
    }

    private func answer(in store: SmartStore, soup: String, path: String) throws -> String {
        let escaped = filter.replacing("{p}", with: path).replacing(" ", with: "%20")
        let query = try SoupQuery("$filter=" + escaped, version: version)
        let plan = try store.explain(odata: query, in: soup)
        let conjunct = plan.conjuncts[0]
        switch (conjunct.answer, conjunct.evaluatedOn) {
        case (.sql, _): return "SQL"
        case (.superset, .cell): return "SQL, then cell"
        case (.superset, _): return "SQL, then entry"
        case (.residual, .cell): return "cell"
        case (.residual, _): return "entry"
        }
    }

    static let operators: [AnswerSample] = [
        .init("`eq` with a text", "{p} eq 'x'"),
        .init("`eq` with a text that may be other JSON", "{p} eq '5'"),
        .init("`ne` with a text", "{p} ne 'x'"),
        .init("`gt ge lt le` with a text", "{p} gt 'x'"),
        .init("`in` with texts", "{p} in ('x','y')"),
        .init("`in` with texts and null", "{p} in ('x',null)"),
        .init("`eq` with an integer", "{p} eq 5"),
        .init("`ne` with an integer", "{p} ne 5"),
        .init("`gt ge lt le` with an integer", "{p} gt 5"),
        .init("`in` with integers", "{p} in (5,7)"),
        .init("`eq` with a decimal", "{p} eq 2.5"),
        .init("`gt ge lt le` with a decimal or a double", "{p} gt 2.5"),
        .init("`eq` with an infinity or NaN", "{p} eq INF"),
        .init("`eq true`, `eq false`, the path alone, `not` and the path", "{p} eq true"),
        .init("`eq null`", "{p} eq null"),
        .init("`ne null`", "{p} ne null"),
        .init("`eq` with a guid", "{p} eq 3f2504e0-4f89-11d3-9a0c-0305e82c3301"),
        .init("`eq` with a date", "{p} eq 2013-01-01"),
        .init("`gt ge lt le` with a date", "{p} gt 2013-01-01"),
        .init("`eq` with an instant", "{p} eq 2013-01-01T00:00:00Z"),
        .init("`gt ge lt le` with an instant, also `now()`", "{p} gt 2013-01-01T00:00:00Z"),
        .init("comparison with a date and time (to 3.0)", "{p} gt datetime'2013-01-01T00:00:00'", .v3),
        .init("comparison with a time of day", "{p} gt 13:45:00"),
        .init("comparison with a duration", "{p} gt duration'PT1H'"),
        .init("comparison with bytes", "{p} eq binary'AQI='"),
        .init("comparison of two paths", "{p} eq Q"),
        .init("`add sub mul div divby mod`, negation", "{p} add 1 eq 2"),
        .init("`cast`", "cast({p},Edm.String) eq 'x'"),
        .init("`isof`", "isof({p},Edm.String)"),
        .init("`case`", "case({p} eq 'x':true,true:false)"),
        .init("`any`, `all`", "{p}/any(x:x eq 'x')"),
        .init("`$count` of a member", "{p}/$count gt 1"),
        .init("`$it`", "$it/{p} eq 'x'"),
    ]

    static let functions: [AnswerSample] = [
        .init("`startswith`", "startswith({p},'x')"),
        .init("`contains`", "contains({p},'x')"),
        .init("`substringof` (to 3.0)", "substringof('x',{p})", .v3),
        .init("`endswith`", "endswith({p},'x')"),
        .init("these with the empty text", "startswith({p},'')"),
        .init("`not` and one of these", "not startswith({p},'x')"),
        .init("`length`", "length({p}) eq 5"),
        .init("`indexof`", "indexof({p},'x') eq 0"),
        .init("`tolower`", "tolower({p}) eq 'x'"),
        .init("`toupper`", "toupper({p}) eq 'X'"),
        .init("`trim`", "trim({p}) eq 'x'"),
        .init("`substring`", "substring({p},1) eq 'x'"),
        .init("`concat`", "concat({p},'x') eq 'yx'"),
        .init("`replace` (to 3.0)", "replace({p},'x','y') eq 'y'", .v3),
        .init("`matchesPattern`", "matchesPattern({p},'x')"),
        .init("`year`", "year({p}) eq 2013"),
        .init("`month`", "month({p}) eq 1"),
        .init("`day`", "day({p}) eq 1"),
        .init("`hour`", "hour({p}) eq 1"),
        .init("`minute`", "minute({p}) eq 1"),
        .init("`second`", "second({p}) eq 1"),
        .init("`fractionalseconds`", "fractionalseconds({p}) eq 0.5"),
        .init("`date`", "date({p}) eq 2013-01-01"),
        .init("`time`", "time({p}) eq 13:45:00"),
        .init("`totaloffsetminutes`", "totaloffsetminutes({p}) eq 60"),
        .init("`totalseconds`", "totalseconds({p}) gt 60"),
        .init("comparison with `now`", "{p} lt now()"),
        .init("comparison with `mindatetime`", "{p} gt mindatetime()"),
        .init("comparison with `maxdatetime`", "{p} lt maxdatetime()"),
        .init("`round`", "round({p}) eq 5"),
        .init("`floor`", "floor({p}) eq 5"),
        .init("`ceiling`", "ceiling({p}) eq 5"),
        .init("`geo.distance`", "geo.distance({p},geography'SRID=4326;Point(1 2)') lt 5"),
        .init("`geo.length`", "geo.length({p}) lt 5"),
        .init(
            "`geo.intersects`",
            "geo.intersects({p},geography'SRID=4326;Polygon((0 0,1 0,1 1,0 0))')"),
        .init("`hassubset`", "hassubset({p},[1,2])"),
        .init("`hassubsequence`", "hassubsequence({p},[1,2])"),
    ]
}
