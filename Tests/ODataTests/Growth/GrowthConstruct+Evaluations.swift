import OData

extension GrowthConstruct {
    /// A text, and a needle of half its length that almost occurs everywhere.
    private static func hostile(_ name: String, _ filter: String, _ version: ODataVersion = .v4) -> GrowthConstruct {
        .init(name, .evaluation(filter: filter, version)) { size in
            let text = String(repeating: "a", count: size * 2 / 3)
            return "{\"T\":\"\(text)\",\"N\":\"\(text.prefix(size / 3))b\"}"
        }
    }

    /// Two collections of numbers, the second of which almost occurs everywhere.
    private static func collections(_ name: String, _ filter: String) -> GrowthConstruct {
        .init(name, .evaluation(filter: filter, .v401)) { size in
            let numbers = Array(repeating: "7", count: size / 3).joined(separator: ",")
            let part = Array(repeating: "7", count: size / 6).joined(separator: ",")
            return "{\"T\":[\(numbers)],\"N\":[\(part),8]}"
        }
    }

    static let evaluations: [GrowthConstruct] = [
        hostile("contains", "contains(T,N)"), hostile("indexof", "indexof(T,N)"),
        hostile("startswith", "startswith(T,N)"),
        hostile("endswith", "endswith(T,N)"), hostile("substringof", "substringof(N,T)", .v2),
        hostile("replace", "replace(T,N,'c')", .v2), hostile("replace all", "replace(T,'a','bb')", .v2),
        hostile("tolower", "tolower(T)"), hostile("length", "length(concat(T,N))"),
        hostile("matchesPattern", "matchesPattern(T,'^(a+)+$')", .v401),
        collections("contains of collections", "contains(T,N)"), collections("indexof of collections", "indexof(T,N)"),
        collections("endswith of collections", "endswith(T,N)"), collections("hassubset", "hassubset(T,N)"),
        collections("hassubsequence", "hassubsequence(T,N)"),
        collections("concat of collections", "length(concat(T,N))"),
        collections("equality of collections", "T eq N"),
        .init("equality of objects", .evaluation(filter: "T eq N", .v401)) { size in
            let count = size / 24
            let members = (0..<count).map { "\"m\($0)\":\($0)" }
            return "{\"T\":{\(members.joined(separator: ","))},\"N\":{\(members.reversed().joined(separator: ","))}}"
        },
        .init("equality of nested objects", .evaluation(filter: "T eq N", .v401)) { size in
            let members = (0..<size / 60).map { "{\"a\":{\"b\":[\($0),{\"c\":1}]}}" }.joined(separator: ",")
            return "{\"T\":[\(members)],\"N\":[\(members)]}"
        },
        .init("in inside any", .evaluation(filter: "T/any(t:t in N)", .v401)) { size in
            let numbers = (0..<size / 14).map { "\($0)" }.joined(separator: ",")
            return "{\"T\":[\((0..<size / 14).map { "-\($0 + 1)" }.joined(separator: ","))],\"N\":[\(numbers)]}"
        },
        .init("in of texts inside any", .evaluation(filter: "T/any(t:t/x in N)", .v401)) { size in
            let texts = (0..<size / 36).map { "\"t\($0)\"" }.joined(separator: ",")
            return "{\"T\":[\((0..<size / 36).map { "{\"x\":\"u\($0)\"}" }.joined(separator: ","))],\"N\":[\(texts)]}"
        },
        .init("any", .evaluation(filter: "T/any(t:t/x gt 5 and t/y eq 'a')", .v4), "{\"T\":[", ",", "]}") {
            "{\"x\":\($0),\"y\":\"b\"}"
        },
        .init("all", .evaluation(filter: "T/all(t:t/x ge 0 or t/y eq 'a')", .v4), "{\"T\":[", ",", "]}") {
            "{\"x\":\($0),\"y\":\"b\"}"
        },
        .init("any in any", .evaluation(filter: "T/any(t:t/U/any(u:u eq t/x))", .v4), "{\"T\":[", ",", "]}") {
            "{\"x\":-1,\"U\":[\($0),2,3]}"
        },
        .init("count", .evaluation(filter: "T/$count", .v4), "{\"T\":[", ",", "]}") { "\($0)" },
        .init("filter segment", .evaluation(filter: "T/$filter(x gt 5)/$count", .v401), "{\"T\":[", ",", "]}") {
            "{\"x\":\($0)}"
        },
        .init("types of a collection", .evaluation(filter: "T/N.D/$count", .v4), "{\"T\":[", ",", "]}") {
            "{\"@odata.type\":\"#N.D\",\"x\":\($0)}"
        },
        .init("key in a path", .evaluation(filter: "T(ID=-1)/x", .v4), "{\"T\":[", ",", "]}") { "{\"ID\":\($0)}" },
        .init("members of the entity", .evaluation(filter: "m1 eq 1", .v4), "{", ",", "}") { "\"m\($0)\":\($0)" },
        .init("a wide entity inside any", .evaluation(filter: "T/any(t:t eq X)", .v4)) { size in
            let members = (0..<size / 24).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
            return "{\"T\":[\((0..<size / 16).map { "\($0)" }.joined(separator: ","))],\(members),\"X\":-1}"
        },
        .init("enumerations", .evaluation(filter: "T/any(t:t eq N.E'Z')", .v4), "{\"T\":[", ",", "]}") {
            "\"M\($0),M1\""
        },
        .init("one enumeration", .evaluation(filter: "T has N.E'Z,Y'", .v4), "{\"T\":\"A", "", "\"}") { ",M\($0)" },
        .init("one number", .evaluation(filter: "T gt 5", .v4), "{\"T\":1", "", "}") { _ in "0123456789" },
        .init("or with values", .filter(entity: "{\"A\":-1}", .v4), "A eq 0", "", "") { " or A eq \($0)" },
        .init("in with values", .filter(entity: "{\"A\":-1}", .v401), "A in (", ",", ")") { "\($0)" },
        .init(
            "in with texts inside any", .filter(entity: "{\"T\":[\"a\",\"b\",\"c\",\"d\"]}", .v401), "T/any(t:t in (",
            ",", "))"
        ) { "'t\($0)'" },
        .init("case with values", .filter(entity: "{\"A\":-1}", .v401), "case(", ",", ")") { "A eq 't\($0)':\($0)" },
        .init("array with values", .filter(entity: "{\"A\":[]}", .v401), "A eq [", ",", "]") { "\($0)" },
        .init("arithmetic", .filter(entity: "{\"A\":1}", .v4), "A", "", "") { _ in " add 1" },
    ]
}
