import Conformance
import JSONText
import OData
import Soups
import TestSupport
import Testing

/// Entries are values: changing one, or reading more of them, does not change another one.
struct ODataEntryTests {
    /// A feed in which each entry has its own property names, strings, numbers and complex values, and every third
    /// entry has an inner entry.
    private static func atom(_ count: Int) -> [UInt8] {
        func entry(_ index: Int, inner: Bool) -> String {
            let properties = """
                <d:Name>entry \(index)</d:Name><d:Own\(index)>\(index) of its own</d:Own\(index)><d:Number m:type="Edm.Int64">\(index)</d:Number>\
                <d:Address m:type="N.Address"><d:City>City\(index)</d:City><d:Zip m:type="Edm.Int32">\(index % 1_000)</d:Zip></d:Address>\
                <d:Tags m:type="Collection(Edm.String)"><d:element>a\(index)</d:element><d:element>&lt;b&gt;</d:element></d:Tags>
                """
            let inline =
                inner && index % 3 == 0
                ? "<link rel=\"http://schemas.microsoft.com/ado/2007/08/dataservices/related/Part\(index)\" href=\"p\" type=\"application/atom+xml;type=entry\"><m:inline>\(entry(index + 1, inner: false))</m:inline></link>"
                : ""
            return
                "<entry m:etag=\"\(index)\"><id>http://h/\(index)</id>\(inline)<content type=\"application/xml\"><m:properties>\(properties)</m:properties></content></entry>\n"
        }
        return Array(
            ("<feed \(PayloadRobustnessTests.namespaces)>\n" + (0..<count).map { entry($0, inner: true) }.joined()
                + "</feed>").utf8)
    }

    private static func json(_ count: Int) -> [UInt8] {
        let entries = (0..<count).map { index in
            let inner =
                index % 3 == 0
                ? ",\"Part\(index)@odata.context\":\"$metadata#P\",\"Part\(index)\":{\"In\(index)\":1}" : ""
            return
                "{\"@odata.etag\":\"\(index)\",\"Name\":\"entry \\u0041 \(index)\",\"Own\(index)\":\(index).5,\"Address\":{\"City\":\"City\(index)\",\"Zip\(index)\":null}\(inner)}"
        }
        return Array(
            ("{\"@odata.context\":\"http://h/$metadata#X\",\"value\":[" + entries.joined(separator: ",") + "]}").utf8)
    }

    /// Reads a feed and returns the lines of all entries. The lines are created immediately, or after the whole feed
    /// was read for entries with `keep`.
    private static func lines(_ body: [UInt8], _ version: ODataVersion, keep: (Int) -> Bool) throws -> [String] {
        var reader = ODataPayloadReader(options: PayloadOptions(version: version))
        try reader.append(body)
        try reader.finish()
        var lines: [String] = []
        var kept: [(index: Int, entry: ODataEntry)] = []
        while case .entry(let entry) = try reader.next() {
            if keep(lines.count) {
                kept.append((lines.count, entry))
            }
            lines.append(keep(lines.count) ? "" : entry.json.text())
        }
        for (index, entry) in kept {
            lines[index] = entry.json.text()
        }
        return lines
    }

    @Test(arguments: [false, true])
    func `entries that are kept stay as they were read`(isJSON: Bool) throws {
        let body = isJSON ? Self.json(1_500) : Self.atom(1_500)
        let version = isJSON ? ODataVersion.v4 : .v2
        let dropped = try Self.lines(body, version) { _ in false }
        #expect(dropped.count == 1_500)
        for (index, line) in dropped.enumerated() where !line.contains("Own\(index)") || !line.contains("City\(index)")
        {
            Issue.record("\(index): \(line)")
        }
        #expect(try Self.lines(body, version) { _ in true } == dropped)
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var random = SeededRandom(seed: seed)
        let choices = (0...1_500).map { _ in Bool.random(using: &random) }
        #expect(try Self.lines(body, version) { choices[$0] } == dropped, "seed \(seed)")
    }

    @Test func `copies do not change with each other`() throws {
        guard case .feed(let feed) = try ODataPayload(reading: Self.atom(2), options: PayloadOptions(version: .v2))
        else {
            Issue.record("no feed")
            return
        }
        let first = feed.entries[0]
        let before = first.json.text()
        var copy = first
        copy.append(ODataEntry.Property("Added", .string("new"), statedType: "Edm.String"))
        copy.id = URLReference("other")
        copy.type = "N.Other"
        copy.etag = nil
        copy.links = [ODataEntry.Link("L", URLReference("l"), .media)]
        copy.deletion = ODataEntry.Deletion(reason: "deleted")
        #expect(first.json.text() == before)
        #expect(feed.entries[0].json.text() == before)
        #expect(copy["Added"] == .string("new"))
        #expect(copy["Name"] == .string("entry 0"))
        #expect(copy.properties.last?.statedType == "Edm.String")
        #expect(
            copy.id?.text == "other" && copy.type == "N.Other" && copy.etag == nil && copy.links.map(\.name) == ["L"])
    }

    @Test func `an entry made by hand holds every kind of value`() throws {
        var entry = ODataEntry()
        #expect(entry.properties.isEmpty && entry["A"] == nil && entry.json.text().contains("\"properties\":{}"))
        let values: [ODataValue] = [
            .null, .boolean(true), .byte(255), .sbyte(-1), .int16(-2), .int32(3), .int64(.min), .double(.infinity),
            .single(0.1), .string("\u{E9}"), .string(""),
            .binary([1, 2]), .enumeration(type: "N.E", members: "A,B"), .spatial(.geographyPoint, "SRID=0;Point(1 2)"),
            .complex([.init("B", .collection([.int32(1), .complex([])]))]),
            .decimal(try #require(EdmDecimal("-12345678901234567890.5"))),
            .guid(try #require(EdmGuid("01234567-89ab-cdef-0123-456789abcdef"))),
            .date(try #require(EdmDate("-0001-02-03"))),
            .dateTime(try #require(EdmDateTime("2012-02-29T23:59:60.123456789012"))),
            .timeOfDay(try #require(EdmTimeOfDay("23:59"))),
            .dateTimeOffset(try #require(EdmDateTimeOffset("2012-02-29T23:59:00-13:59"))),
            .duration(try #require(EdmDuration("-P1DT0.1S"))),
            .time(try #require(EdmDuration("PT1S"))),
        ]
        for (index, value) in values.enumerated() {
            entry.append(ODataEntry.Property("P\(index)", value))
        }
        #expect(entry.properties.map(\.value) == values)
        for (index, value) in values.enumerated() {
            #expect(entry["P\(index)"] == value)
        }
    }

    @Test func `numbers of JSON are the nearest ones`() throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var random = SeededRandom(seed: seed)
        var texts = [
            "0", "-0", "0.0", "-0.0", "1.0", "123456789012345.6", "0.000000000000001", "999999999999999", "2147483648",
            "-2147483649", "9223372036854775807",
        ]
        for _ in 0..<3_000 {
            let digits = (0..<Int.random(in: 1...17, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
            let whole = String(Int.random(in: 0...99, using: &random))
            texts.append(
                (Bool.random(using: &random) ? "-" : "") + whole + (Bool.random(using: &random) ? "." + digits : ""))
        }
        let body = "{\"value\":[" + texts.map { "{\"A\":\($0)}" }.joined(separator: ",") + "]}"
        guard case .feed(let feed) = try ODataPayload(reading: Array(body.utf8), options: PayloadOptions()) else {
            Issue.record("no feed")
            return
        }
        for (text, entry) in zip(texts, feed.entries) {
            switch entry["A"] {
            case .int32(let value): #expect(Int64(text) == Int64(value), "seed \(seed): \(text)")
            case .int64(let value):
                #expect(Int64(text) == value && Int32(exactly: value) == nil, "seed \(seed): \(text)")
            case .double(let value):
                #expect(Double(text)?.bitPattern == value.bitPattern && text.contains("."), "seed \(seed): \(text)")
            case .decimal(let value): #expect(value == EdmDecimal(text) && text.count > 17, "seed \(seed): \(text)")
            case let other: Issue.record("seed \(seed): \(text) is \(String(describing: other))")
            }
        }
    }
}
