import OData
import Soups
import Testing

@Suite struct ODataValueTests {
    @Test(arguments: [
        (EdmPrimitiveType.byte, "256"), (.byte, "-1"), (.sbyte, "-129"), (.int16, "32768"), (.int32, "2147483648"),
        (.int64, "9223372036854775808"),
        (.int64, "1.0"), (.double, "1e400"), (.double, "nan"), (.double, "inf"), (.double, "0x1p3"), (.single, "1e39"),
        (.boolean, "TRUE"), (.boolean, "1"),
        (.guid, "01234567-89ab-cdef-456789abcdef"), (.binary, "Zg="), (.binary, "Zh"), (.binary, "a*=="),
        (.date, "2012-02-30"), (.stream, "x"),
    ])
    func `texts outside the range of their type are invalid`(_ type: EdmPrimitiveType, _ text: String) {
        #expect { try ODataValue(parsing: text, as: type) } throws: { ($0 as? Fault)?.code == .invalidLiteral }
    }

    @Test(arguments: [
        (EdmPrimitiveType.int64, "-9223372036854775808", "-9223372036854775808"), (.int32, "+7", "7"),
        (.double, "INF", "INF"), (.double, "0.5", "0.5"),
        (.guid, "01234567-89AB-CDEF-0123-456789ABCDEF", "01234567-89ab-cdef-0123-456789abcdef"),
        (.binary, "T0RhdGE", "T0RhdGE="),
        (.binary, "-_8=", "+/8="), (.decimal, "+3.140", "3.140"), (.boolean, "true", "true"),
    ])
    func `texts have a canonical form`(_ type: EdmPrimitiveType, _ text: String, _ canonical: String) throws {
        #expect(try ODataValue(parsing: text, as: type).canonicalText == canonical)
    }

    @Test func `strings are the same only by their bytes`() {
        #expect(ODataValue.string("\u{e9}") != .string("e\u{301}"))
    }
}
