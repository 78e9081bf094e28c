import OData
import Testing

@Suite struct EdmDecimalTests {
    private func decimal(_ text: String) throws -> EdmDecimal { try #require(EdmDecimal(text)) }

    @Test func `tenths add up exactly`() throws {
        let sum = try #require(try decimal("0.1").adding(decimal("0.2")))
        #expect(sum == (try decimal("0.3")))
    }

    @Test func `the written scale stays and does not count`() throws {
        #expect(try decimal("2.50").description == "2.50")
        #expect(try decimal("2.50") == decimal("2.5"))
        #expect(try decimal("-0.00") == decimal("0"))
        #expect(try decimal("2.50").hashValue == decimal("2.5").hashValue)
    }

    @Test(arguments: [
        "", ".5", "5.", "1e", "+", "--1", "0x1F", "1 ", " 1", "1,5", String(repeating: "9", count: 37), "1e401",
    ])
    func `texts outside the grammar or range are refused`(_ text: String) { #expect(EdmDecimal(text) == nil) }

    @Test func `thirty six digits are exact`() throws {
        let text = "123456789012345678901234567890.123456"
        #expect(try decimal(text).description == text)
        #expect(try decimal(text).subtracting(decimal("0.000001")) == decimal("123456789012345678901234567890.123455"))
        #expect(try decimal("-" + text) < decimal(text))
    }

    @Test func `products and quotients round only beyond 36 digits`() throws {
        #expect(try decimal("1.5").multiplied(by: decimal("-0.25")) == decimal("-0.375"))
        #expect(try decimal("7").divided(by: decimal("2")) == decimal("3.5"))
        #expect(try decimal("1").divided(by: decimal("0")) == nil)
        #expect(try decimal("2").divided(by: decimal("3"))?.description == "0.666666666666666666666666666666666667")
        let large = String(repeating: "9", count: 36)
        // (10^36 - 1)^2 = 10^72 - 2 * 10^36 + 1, of which 38 digits stay.
        #expect(
            try decimal(large).multiplied(by: decimal(large))?.description == String(repeating: "9", count: 35)
                + "800e34")
    }

    @Test func `remainder takes the sign of the dividend`() throws {
        #expect(try decimal("5.5").remainder(dividingBy: decimal("2")) == decimal("1.5"))
        #expect(try decimal("-5.5").remainder(dividingBy: decimal("2")) == decimal("-1.5"))
        #expect(try decimal("1").remainder(dividingBy: decimal("0")) == nil)
    }

    @Test func `halves round away from zero`() throws {
        #expect(try decimal("2.5").rounded(.halfAwayFromZero) == decimal("3"))
        #expect(try decimal("-2.5").rounded(.halfAwayFromZero) == decimal("-3"))
        #expect(try decimal("2.4999999999999999999999999").rounded(.halfAwayFromZero) == decimal("2"))
        #expect(try decimal("-1.5").rounded(.down) == decimal("-2"))
        #expect(try decimal("-1.5").rounded(.up) == decimal("-1"))
    }

    @Test func `integers and doubles come out exactly`() throws {
        #expect(try decimal("-9223372036854775808").int64 == Int64.min)
        #expect(try decimal("9223372036854775808").int64 == nil)
        #expect(try decimal("7.00").int64 == 7)
        #expect(try decimal("7.5").int64 == nil)
        #expect(try decimal("0.1").double == 0.1)
        #expect(try decimal("123456789012345678901234567890").double == 123456789012345678901234567890.0)
    }
}
