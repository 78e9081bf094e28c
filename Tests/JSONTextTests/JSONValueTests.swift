import JSONText
import Testing

@Suite struct JSONValueTests {
    @Test func `reads every kind of value`() throws {
        let value = try JSONValue(
            parsing: " {\"a\":[1,-2.5e3,true,false,null,{}],\"b\":{\"\\u0063\":\"\\ud83d\\ude00\\n\"},\"d\":[]} \r\n")
        #expect(value["a"]?.array?.count == 6)
        #expect(value["a"]?.array?[1].double == -2500)
        #expect(value["b"]?["c"]?.string == "\u{1F600}\n")
        #expect(
            value.bytes() == Array("{\"a\":[1,-2.5e3,true,false,null,{}],\"b\":{\"c\":\"\u{1F600}\\n\"},\"d\":[]}".utf8)
        )
    }

    @Test func `writes pretty text`() throws {
        let value = try JSONValue(parsing: "{\"a\":[1,{\"b\":null}],\"c\":{},\"d\":[]}")
        #expect(
            value.text(.pretty)
                == "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}")
        #expect(try JSONValue(parsing: value.text(.pretty)) == value)
    }

    @Test func `escapes what JSON requires`() {
        #expect(
            JSONValue.string("\"\\/\u{1}\u{8}\u{9}\u{A}\u{C}\u{D}\u{1F}\u{7F}\u{2028}").text()
                == "\"\\\"\\\\/\\u0001\\b\\t\\n\\f\\r\\u001f\u{7F}\u{2028}\"")
    }

    @Test(arguments: [
        ("1", "1.0"), ("1", "10e-1"), ("0", "-0.0"), ("0", "0e999999999999999999999999999999999999"), ("1.50", "15e-1"),
        ("12e400", "1.2e401"),
        ("1e1000000000000000000000", "10e999999999999999999999"),
        ("1e10000000000000000000000000000000000", "1.0E+0010000000000000000000000000000000000"),
        ("-12.5e-10000000000000000000000000000000000", "-12.50E-10000000000000000000000000000000000"),
        ("1e-7", "0.0000001"), ("123e19", "1.23e21"),
    ])
    func `equal numbers are equal however written`(a: String, b: String) throws {
        let (left, right) = (try JSONValue(parsing: a), try JSONValue(parsing: b))
        #expect(left == right)
        #expect(left.bytes(.canonical) == right.bytes(.canonical))
        #expect(try JSONValue(parsing: left.bytes(.canonical)) == left)
    }

    @Test(arguments: [
        ("9007199254740993", "9007199254740992"), ("1", "-1"), ("1", "true"), ("0.1", "0.10000000000000000001"),
        ("\"e\u{301}\"", "\"\u{e9}\""),
        ("[1]", "[1,1]"), ("{\"a\":1}", "{\"b\":1}"), ("{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}"), ("null", "false"),
        ("[]", "{}"), ("\"1\"", "1"),
    ])
    func `different values differ`(a: String, b: String) throws {
        #expect(try JSONValue(parsing: a) != JSONValue(parsing: b))
    }

    @Test func `the order of members does not count`() throws {
        let (a, b) = (
            try JSONValue(parsing: "{\"x\":[1],\"y\":{\"p\":1,\"q\":2}}"),
            try JSONValue(parsing: "{\"y\":{\"q\":2.0,\"p\":1},\"x\":[1e0]}")
        )
        #expect(a == b)
        #expect(a.bytes(.canonical) == b.bytes(.canonical))
        #expect(a.text(.canonical) == "{\"x\":[1],\"y\":{\"p\":1,\"q\":2}}")
    }

    @Test(
        arguments: [
            ("7", 7), ("7.0", 7), ("7e2", 700), ("70e-1", 7), ("-0", 0), ("9223372036854775807", Int64.max),
            ("-9223372036854775808", .min),
            ("-9223372036854775808.00", .min), ("9223372036854775808", nil), ("7.5", nil), ("2e19", nil), ("1e-1", nil),
            ("0e99999999999999999999", 0),
        ] as [(String, Int64?)])
    func `integers are exact`(text: String, expected: Int64?) throws {
        #expect(try JSONValue(parsing: text).int64 == expected)
    }

    @Test(arguments: [
        (0.1, "0.1"), (1e300, "1e300"), (1e16, "1e16"), (-0.0, "-0"), (3, "3"), (.leastNonzeroMagnitude, "5e-324"),
        (200000.10, "200000.1"),
    ])
    func `doubles take their shortest text`(value: Double, expected: String) {
        #expect(JSONNumber.shortest(value) == expected)
        #expect(JSONNumber(value)?.double == value)
        #expect(JSONNumber(.infinity) == nil)
    }

    @Test(arguments: [
        ("", "truncated", 0), ("  ", "truncated", 2), ("{", "truncated", 1), ("[1,", "truncated", 3),
        ("\"a", "truncated", 2), ("tru", "truncated", 3),
        ("-", "truncated", 1), ("1.", "truncated", 2), ("\"\\u12", "truncated", 5), ("[1 2]", "syntax", 3),
        ("[1,]", "syntax", 3), ("{\"a\" 1}", "syntax", 5),
        ("{a:1}", "syntax", 1), ("01", "syntax", 1), ("trux", "syntax", 0), ("1 2", "syntax", 2),
        ("\"\u{1}\"", "syntax", 1), ("\"\\x\"", "syntax", 1),
        ("\"\\ud800x\"", "invalidText", 1), ("\"\\udc00\"", "invalidText", 1), ("\u{FEFF}1", "syntax", 0),
        ("]", "syntax", 0), ("[1}", "syntax", 2),
    ])
    func `refuses with code and offset`(text: String, code: String, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.code.rawValue == code)
        #expect(error?.offset == offset)
    }

    @Test func `depth is limited`() throws {
        let text = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        _ = try JSONValue(parsing: text(512))
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text(513)) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.offset == 512)
        #expect(JSONOptions(maximumDepth: 100_000).maximumDepth == 1024)
    }

    @Test func `duplicate names are refused on request`() throws {
        let text = "{\"a\":1,\"b\":{\"k\":1,\"\\u006b\":2}}"
        #expect(try JSONValue(parsing: text)["b"]?["k"] == 2)
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: text, options: JSONOptions(refusesDuplicateNames: true))
        }
        #expect(error?.code == .duplicateName)
        #expect(error?.offset == 18)
    }
}
