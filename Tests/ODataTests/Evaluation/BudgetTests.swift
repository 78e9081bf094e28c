import JSONText
import OData
import Soups
import Testing

/// What an evaluation may cost: steps and bytes of results.
@Suite struct BudgetTests {
    private static let numbers: JSONValue = ["A": .array((0..<40).map { JSONValue.number(JSONNumber($0)) })]

    private static func evaluate(
        _ filter: String, _ entity: JSONValue = numbers, version: ODataVersion = .v401, steps: Int = 100_000,
        bytes: Int = 1 << 16
    ) throws(Fault) -> Bool? {
        let limits = Limits(steps: steps, resultBytes: bytes)
        return try ODataEvaluator(
            filter: ODataExpression(parsing: filter, version: version), limits: limits
        ).matches(entity)
    }

    /// `any` in `any`, each over the same collection.
    private static func nested(_ depth: Int) -> String {
        (0..<depth).reversed().reduce("true eq false") { inner, level in "A/any(x\(level):\(inner))" }
    }

    @Test func `nested lambdas end at the steps allowed`() throws {
        #expect(try Self.evaluate(Self.nested(2)) == false)
        for depth in 4...8 {
            #expect { try Self.evaluate(Self.nested(depth)) } throws: {
                ($0 as? Fault)?.code == .limitExceeded
            }
        }
    }

    @Test(arguments: [
        (
            "length(replace(replace(replace(T,'a','aaaaaaaaaaaaaaaa'),'a','aaaaaaaaaaaaaaaa'),'a','aaaaaaaaaaaaaaaa')) gt 0",
            ODataVersion.v2
        ),
        ("length(concat(concat(concat(T,T),concat(T,T)),concat(concat(T,T),concat(T,T)))) gt 0", .v4),
        ("length(concat(concat(concat(C,C),concat(C,C)),concat(concat(C,C),concat(C,C)))) gt 0", .v401),
        ("length(substring(T,1)) gt 0 and length(tolower(T)) gt 0 and length(trim(T)) gt 0", .v4),
    ])
    func `results end at the bytes allowed`(filter: String, version: ODataVersion) throws {
        let entity: JSONValue = [
            "T": .string(String(repeating: "a", count: 1_000)), "C": .array(Array(repeating: "a", count: 100)),
        ]
        #expect(try Self.evaluate(filter, entity, version: version, steps: 10_000_000, bytes: 16 << 20) == true)
        #expect { try Self.evaluate(filter, entity, version: version, steps: 10_000_000, bytes: 2_000) } throws: {
            ($0 as? Fault)?.code == .limitExceeded
        }
    }

    @Test func `aliases share the budget`() throws {
        var query = "$filter=length(@a0) gt 0"
        for level in 0..<20 {
            query += "&@a\(level)=concat(@a\(level + 1),@a\(level + 1))"
        }
        query += "&@a20=T"
        let options = try ODataURL.options(parsing: query)
        let filter = try #require(options.filter)
        let evaluator = try ODataEvaluator(filter: filter, aliases: options.aliases)
        #expect { try evaluator.matches(["T": .string(String(repeating: "a", count: 1_000))] as JSONValue) } throws: {
            ($0 as? Fault)?.code == .limitExceeded
        }
    }

    @Test(arguments: [
        "T eq U", "T in (U)", "contains(T,U)", "matchesPattern(T,'b+')", "C eq D", "hassubset(C,D)", "contains(C,D)",
        "C/any(c:c in D)", "O eq P",
    ])
    func `every loop over data is paid for`(filter: String) throws {
        let text = JSONValue.string(String(repeating: "a", count: 100_000))
        let list = JSONValue.array((0..<2_000).map { JSONValue.number(JSONNumber($0)) })
        let object = JSONValue.object(JSONObject((0..<2_000).map { ("m\($0)", JSONValue.number(JSONNumber($0))) }))
        let entity: JSONValue = ["T": text, "U": text, "C": list, "D": list, "O": object, "P": object]
        #expect { try Self.evaluate(filter, entity, steps: 500) } throws: { ($0 as? Fault)?.code == .limitExceeded }
        #expect(throws: Never.self) { try Self.evaluate(filter, entity, steps: 1_000_000_000, bytes: 1 << 24) }
    }
}
