import ServiceTransport
import TestSupport
import Testing

@Suite struct HTTPDateTests {
    /// 2026-11-22T00:00:00Z.
    private static let now: Int64 = 1_795_305_600_000

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777_000),
            ("Sun Nov  6 08:49:37 1994", 784_111_777_000), ("Thu Nov 16 00:00:00 2023", 1_700_092_800_000),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1_000),
            ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000_000), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400_000),
            ("Fri, 31 Dec 1999 23:59:60 GMT", 946_684_800_000), ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800_000),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799_000),
            // Years of two digits: up to 50 years later, else earlier.
            ("Wednesday, 01-Jan-76 00:00:00 GMT", 3_345_062_400_000),
            ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800_000),
        ] as [(String, Int64)])
    func `the three forms are read`(text: String, milliseconds: Int64) {
        #expect(HTTPDate.milliseconds(of: text, now: Self.now) == milliseconds)
    }

    @Test(arguments: [
        "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 2023 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov  06 08:49:37 1994", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:+7 GMT",
        "Sun, ٠٦ Nov 1994 08:49:37 GMT",
    ])
    func `other texts are not`(text: String) {
        #expect(HTTPDate.milliseconds(of: text, now: Self.now) == nil)
    }

    @Test func `dates are written in the preferred form`() {
        #expect(HTTPDate.text(of: 784_111_777_999) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(of: -1) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.text(of: 253_402_300_800_000) == nil)
        #expect(HTTPDate.text(of: .max) == nil && HTTPDate.text(of: .min) == nil)
    }

    @Test func `dates that are written are read back`() throws {
        var random = SeededRandom(seed: 16)
        for _ in 0..<5_000 {
            let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
            let text = try #require(HTTPDate.text(of: seconds * 1_000))
            #expect(HTTPDate.milliseconds(of: text, now: Self.now) == seconds * 1_000, "seed 16: \(text)")
        }
    }
}
