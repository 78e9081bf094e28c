import OData
import Testing

@Suite struct EdmDateTests {
    @Test(arguments: [
        ("2012-09-03T13:52Z", "2012-09-03T13:52:00Z"), ("2012-09-03T13:52:07.120+00:00", "2012-09-03T13:52:07.12Z"),
        ("1972-06-30T23:59:60Z", "1972-06-30T23:59:60Z"), ("0000-01-01T00:00Z", "0000-01-01T00:00:00Z"),
        ("-10000-04-01T00:00:00-05:30", "-10000-04-01T00:00:00-05:30"),
        ("9999-12-31T23:59:59.999999999999Z", "9999-12-31T23:59:59.999999999999Z"),
    ])
    func `instants have a canonical text`(_ text: String, _ canonical: String) throws {
        #expect(try #require(EdmDateTimeOffset(text)).description == canonical)
    }

    @Test(arguments: [
        "2012-02-30T00:00Z", "2011-02-29T00:00Z", "2011-12-31T24:00Z", "2012-09-03T13:52", "2012-9-03T13:52Z",
        "2012-09-03T13:52:61Z",
        "2012-09-03T13:52:00.Z", "2012-09-03T13:52:00.1234567890123Z", "2012-09-03T13:52+24:00", "INF", "",
        "02012-09-03T13:52Z",
    ])
    func `instants that do not exist are refused`(_ text: String) { #expect(EdmDateTimeOffset(text) == nil) }

    @Test func `instants compare without regard to their offset`() throws {
        let a = try #require(EdmDateTimeOffset("2012-12-31T23:30:00-05:00"))
        let b = try #require(EdmDateTimeOffset("2013-01-01T04:30:00Z"))
        #expect(a == b)
        #expect(a.local.date.year == 2012)
        #expect(try #require(EdmDateTimeOffset("2013-01-01T04:30:00.000000000001Z")) > a)
    }

    @Test func `days count back and forth`() throws {
        for days in stride(from: Int64(-800_000), through: 4_000_000, by: 9_973) {
            #expect(try #require(EdmDate(daysSinceEpoch: days)).daysSinceEpoch == days)
        }
        #expect(try #require(EdmDate("1970-01-01")).daysSinceEpoch == 0)
        #expect(try #require(EdmDate("2000-03-01")).daysSinceEpoch == 11_017)
        #expect(EdmDate(daysSinceEpoch: 0)?.description == "1970-01-01")
    }

    @Test(arguments: [
        ("P1DT2H3M4.5S", "P1DT2H3M4.5S"), ("-P6DT23H59M59.9999S", "-P6DT23H59M59.9999S"), ("PT36H", "P1DT12H"),
        ("PT0S", "PT0S"), ("P0D", "PT0S"),
        ("PT90M", "PT1H30M"),
    ])
    func `durations have a canonical text`(_ text: String, _ canonical: String) throws {
        #expect(try #require(EdmDuration(text)).description == canonical)
    }

    @Test(arguments: ["P", "PT", "P1Y", "P1M", "+P1D", "PT1S2M", "PT1.5H", "P1DT", "1D", "PT1", "PT.5S", "PT1M1M"])
    func `durations outside the grammar are refused`(_ text: String) { #expect(EdmDuration(text) == nil) }

    @Test func `times have a canonical text`() {
        #expect(EdmTimeOfDay("11:22")?.description == "11:22:00")
        #expect(EdmTimeOfDay("13:20:00.1230")?.description == "13:20:00.123")
        #expect(EdmTimeOfDay("24:00:00") == nil)
    }
}
