import Conformance
import FoundationEssentials
import JSONText
import OData
import Soups
import TestSupport
import Testing

@Suite struct HostileTextTests {
    private static let count = 100_000

    /// The limit of processor time for refusing a text. Unoptimized code gets more time; `swift test -c release` checks
    /// the goal.
    #if DEBUG
    private static let allowed = Duration.seconds(10)
    #else
    private static let allowed = Duration.milliseconds(100)
    #endif

    /// Nested texts of every kind; `deep` adds the closing characters.
    static let nested: [(name: String, text: String)] = [
        ("brackets", String(repeating: "(", count: count) + "A" + String(repeating: ")", count: count)),
        ("not", String(repeating: "not ", count: count) + "A"),
        ("signs", String(repeating: "- ", count: count) + "A"),
        ("signs without blanks", String(repeating: "-", count: count) + "A"),
        ("calls", String(repeating: "trim(", count: count) + "A" + String(repeating: ")", count: count)),
        ("lambdas", String(repeating: "A/any(a:", count: count) + "a" + String(repeating: ")", count: count)),
        ("right sides", String(repeating: "A eq B and (", count: 50_000) + "A" + String(repeating: ")", count: 50_000)),
        ("arrays", String(repeating: "[", count: count) + String(repeating: "]", count: count)),
        ("objects", String(repeating: "{\"a\":", count: count) + "1" + String(repeating: "}", count: count)),
        ("branches", String(repeating: "case(true:", count: count) + "1" + String(repeating: ")", count: count)),
        ("casts", String(repeating: "cast(", count: count) + "A" + String(repeating: ",Edm.String)", count: 50_000)),
        ("functions", String(repeating: "N.f(a=", count: count) + "1" + String(repeating: ")", count: count)),
        ("filters", String(repeating: "A/$filter(", count: count) + "true" + String(repeating: ")", count: count)),
        ("lists", String(repeating: "1 in (", count: count) + "1" + String(repeating: ")", count: count)),
    ]

    @Test(arguments: nested.indices)
    func `deep nesting ends in a limit`(_ index: Int) throws {
        let (name, text) = Self.nested[index]
        let elapsed = ThreadTime.measure {
            #expect { try ODataExpression(parsing: text, version: .v401) } throws: {
                ($0 as? Fault)?.code == .limitExceeded && ($0 as? Fault)?.offset != nil
            }
        }
        #expect(elapsed < Self.allowed, "\(name): \(elapsed)")
    }

    @Test(arguments: [
        "$expand=" + String(repeating: "A($expand=", count: 100_000),
        "$search=" + String(repeating: "(", count: 100_000) + "a",
        "$search=" + String(repeating: "NOT ", count: 100_000) + "a",
        "$apply=" + String(repeating: "groupby((A),", count: 50_000),
        "$select=" + String(repeating: "A($select=", count: 50_000),
        "$filter=" + String(repeating: "(", count: 100_000),
    ])
    func `deep options end in a limit`(_ query: String) {
        let elapsed = ThreadTime.measure {
            #expect { try ODataURL.options(parsing: query, version: .v401) } throws: {
                ($0 as? Fault)?.code == .limitExceeded
            }
        }
        #expect(elapsed < Self.allowed, "\(elapsed)")
    }

    @Test func `long chains are parsed and evaluated`() throws {
        let chain = (0..<5_000).map { "A eq \($0)" }.joined(separator: " or ")
        let expression = try ODataExpression(parsing: chain)
        let evaluator = try ODataEvaluator(filter: expression)
        #expect(try evaluator.matches(["A": 4_999] as JSONValue) == true)
        #expect(try evaluator.matches(["A": 5_000] as JSONValue) == false)
        #expect(try ODataExpression(parsing: expression.canonicalText).canonicalText == chain)
        // The JSON of the chain is nested, but releasing it must not overflow the stack.
        _ = try ODataTextCalls.parseFilter(chain)
        let long = (0..<20_000).map { _ in "A" }.joined(separator: " or ")
        #expect { try ODataTextCalls.parseFilter(long) } throws: { ($0 as? Fault)?.code == .limitExceeded }
        let words = String(repeating: "a ", count: 20_000) + "a"
        #expect { try ODataTextCalls.parseSearch(words) } throws: { ($0 as? Fault)?.code == .limitExceeded }
    }

    @Test func `members of lists are not counted`() throws {
        let list = "A in (" + (0..<120_000).map(String.init).joined(separator: ",") + ")"
        #expect(
            try ODataEvaluator(filter: ODataExpression(parsing: list, version: .v401)).matches(
                ["A": 119_999] as JSONValue) == true)
    }

    @Test func `texts beyond the limits are refused`() {
        let limits = Limits(length: 20, nodes: 5, depth: 2)
        for (text, offset) in [("Name eq 'aaaaaaaaaaaaaaaa'", 20), ("A eq 1 or B eq 2", 16), ("(((A)))", 3)] {
            #expect { try ODataExpression(parsing: text, limits: limits) } throws: {
                ($0 as? Fault)?.code == .limitExceeded && ($0 as? Fault)?.offset == offset
            }
        }
    }

    /// Texts that use all features. Each prefix must give a tree or a fault with an offset in the text.
    static let samples = [
        "not (A/B eq 'it''s' and Tags/any(t:t/Q gt 1.5e3) or Größe in (1,-2,null)) eq true",
        "case(X gt 0:duration'P1DT2H',true:2012-09-03T13:52:00.5+02:00) ne geography'SRID=0;Point(1 2)'",
        "substring(concat(A,B),1,2) eq cast(@p,Edm.String) and {\"a\":[1,2 add 3],\"b\":\"\\u00e9\"} eq $it",
        "Items(K='a')/Ns.F(x=1)/$filter(A eq 1)/$count($filter=B ge 23:59:59.9) lt 01234567-89ab-cdef-0123-456789abcdef",
    ]

    static let urls = [
        "http://h/s.svc/Products(1)/Cat/Ns.T?$filter=A%20eq%20'%C3%A9'&$expand=Items($filter=Q gt 1;$levels=2;$select=N),*/$ref&$top=5&@p=[1]&x=%26",
        "Sales?$apply=filter(A gt 1)/groupby((B,C/D),aggregate(E with sum as F,$count as G))&$orderby=F desc,B&$search=a AND (b OR NOT \"c d\")",
        "Orders/1/Items('O''Neil')/$filter(@f)/$count?@f=Age gt 3&$compute=A add 1 as B&$select=A,Ns.*,C($top=1)&$format=json&$skiptoken=x",
    ]

    @Test(arguments: ODataVersion.allCases)
    func `every prefix is a tree or a fault`(_ version: ODataVersion) {
        func check(_ text: String, _ work: (String) throws -> Void) {
            let bytes = Array(text.utf8)
            for length in 0...bytes.count {
                let prefix = String(decoding: bytes.prefix(length), as: UTF8.self)
                do { try work(prefix) } catch let fault as Fault {
                    if let offset = fault.offset, offset > prefix.utf8.count {
                        Issue.record("offset \(offset) outside of \(prefix)")
                    }
                } catch { Issue.record("\(prefix): \(error)") }
            }
        }
        for sample in Self.samples {
            check(sample) { _ = try ODataExpression(parsing: $0, version: version).canonicalText }
            // Bytes that are cut inside a character must give a fault, not a crash.
            let bytes = Array(sample.utf8)
            for length in 0...bytes.count {
                _ = try? ODataExpression(parsing: Array(bytes.prefix(length)), version: version)
            }
        }
        for url in Self.urls {
            check(url) { _ = try ODataURL(parsing: $0, version: version).json }
        }
    }

    @Test(arguments: [UInt64(1), 42, 4_711])
    func `changed bytes never crash`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = Array("()'\",;:=/$@#%-+.*[]{} \tAaeqnotin0129\u{e9}".utf8)
        for round in 0..<3_000 {
            var bytes = Array((Self.samples + Self.urls)[round % 7].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let version = ODataVersion.allCases[round % 5]
            if let tree = try? ODataExpression(parsing: bytes, version: version) {
                _ = tree.json
                if (try? ODataExpression(parsing: tree.canonicalText, version: version).json) != tree.json {
                    Issue.record(
                        "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self)) does not print as itself"
                    )
                }
                _ = try? ODataEvaluator(tree).value(for: ["A": 1, "Tags": [["Q": 2000]]] as JSONValue)
            }
            _ = try? ODataURL(parsing: String(decoding: bytes, as: UTF8.self), version: version).json
        }
    }
}
