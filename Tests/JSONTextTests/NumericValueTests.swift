import JSONText
import Testing

@Suite struct NumericValueTests {
    @Test(
        arguments: [
            ("7", .integer(7)), ("-7", .integer(-7)), ("7.0", .integer(7)), ("7e2", .integer(700)), ("3.7", .real(3.7)),
            ("true", .integer(1)),
            ("false", .integer(0)), ("null", .null), (#""abc""#, .null), (#""12""#, .integer(12)),
            (#"" +12.50 ""#, .real(12.5)), (#""-.5""#, .real(-0.5)),
            (#""5.""#, .integer(5)), (#""5.e1""#, .integer(50)), (#""""#, .null), (#"" ""#, .null), (#""1e""#, .null),
            (#""0x10""#, .null), (#""1 2""#, .null),
            (#""+""#, .null), (#"".""#, .null), (#""Infinity""#, .null), (#""nan""#, .null), ("[1]", .null),
            ("{}", .null), (#""\u0031""#, .integer(1)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .real(9_223_372_036_854_775_808)),
            ("9007199254740993", .integer(9_007_199_254_740_993)),
            ("9007199254740993.0", .integer(9_007_199_254_740_993)),
            ("200000.10", .real(200000.10)), ("1e300", .real(1e300)), ("1e400", .real(.infinity)), ("-0", .integer(0)),
            ("0e99999", .integer(0)),
            ("4.9e-324", .real(.leastNonzeroMagnitude)), ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
            ("3.141592653589793", .real(.pi)),
            ("0.1000000000000000055511151231257827", .real(0.1)), (#""00012""#, .integer(12)),
            (#""1e5""#, .integer(100_000)), ("123456789012345678901", .real(123_456_789_012_345_683_968)),
        ] as [(String, NumericValue)])
    func `numeric indexes hold exact numbers`(value: String, expected: NumericValue) throws {
        #expect(try Projected("{\"v\":\(value)}", ["v"]).numbers == [expected])
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [("", .real(.infinity)), ("0.", .real(0.7777777777777778))] as [(String, NumericValue)])
    func `a number of many digits takes time in proportion`(before: String, expected: NumericValue) throws {
        #expect(
            try Projected("{\"v\":\(before)\(String(repeating: "7", count: 200_000))}", ["v"]).numbers == [expected])
    }
}
