import JSONText
import Testing

@Suite struct JSONObjectTests {
    @Test func `members are found by their bytes`() {
        let object = JSONObject([("e\u{301}", 1), ("\u{e9}", 2)])
        #expect(object["\u{e9}"]?.int64 == 2)
        #expect(object["e\u{301}"]?.int64 == 1)
        #expect(object["e"] == nil)
    }
}
