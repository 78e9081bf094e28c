import Conformance
import OData
import TestSupport
import Testing

@Suite struct ExpressionPrinterTests {
    @Test(arguments: [
        ("((A))  eq ( B )", "A eq B"), ("(A add B) mul C", "(A add B) mul C"), ("A add (B mul C)", "A add B mul C"),
        ("A sub (B sub C)", "A sub (B sub C)"),
        ("(A sub B) sub C", "A sub B sub C"), ("not (A eq B)", "not (A eq B)"),
        ("contains( Name , 'a''b' )", "contains(Name,'a''b')"), ("- 5", "- 5"),
        ("-(-5)", "--5"), ("-A", "-A"), ("TRUE EQ false", "true eq false"), ("A in ( 1 , 2 )", "A in (1,2)"),
        ("(-A) has B", "(-A) has B"),
        ("Tags/any( t : t eq 'x' )", "Tags/any(t:t eq 'x')"), ("A eq 2012-09-03T13:52Z", "A eq 2012-09-03T13:52:00Z"),
        ("1.50 eq A", "1.50 eq A"),
        ("1E+3 eq A", "1e3 eq A"), ("+7 eq 007", "7 eq 7"), ("Tags/$count gt 1", "Tags/$count gt 1"),
    ])
    func `texts become canonical`(_ text: String, _ canonical: String) throws {
        #expect(try ODataExpression(parsing: text, version: .v401).canonicalText == canonical)
    }

    @Test(arguments: [UInt64(20_260_101), 7, 99_991])
    func `printed trees read back as themselves`(seed: UInt64) throws {
        for version in ODataVersion.allCases {
            var generator = ExpressionGenerator(seed: seed, version: version)
            for round in 0..<250 {
                let text = generator.expression(depth: 5)
                guard let tree = try? ODataExpression(parsing: text, version: version) else {
                    Issue.record("seed \(seed), version \(version.rawValue), round \(round): not parsed: \(text)")
                    return
                }
                let canonical = tree.canonicalText
                let again = try? ODataExpression(parsing: canonical, version: version)
                guard let again, tree.json == again.json, again.canonicalText == canonical else {
                    Issue.record(
                        "seed \(seed), version \(version.rawValue), round \(round): \(text) became \(canonical)")
                    return
                }
            }
        }
    }
}
