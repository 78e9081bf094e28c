import Benchmarking

/// Generates OData feeds of a given size: the same rows as Atom of version 2 and as JSON of version 4.
///
/// Regular: the same thirteen properties and a complex one in the same order in each entry, as services send tables.
/// Irregular: sparse properties in random order, some with unique names, and inline expanded entries, so that
/// predictions of names fail.
struct FeedCorpus: Sendable {
    var isRegular: Bool
    /// The approximate size in bytes; the last entry may exceed it.
    var bytes: Int
    var seed: UInt64

    private static let data = "http://schemas.microsoft.com/ado/2007/08/dataservices"
    private static let words = [
        "alpha", "beta", "gamma", "delta", "Z\u{FC}rich", "&amp;", "na\u{EF}ve", "order", "quick", "brown",
    ]

    private struct Value {
        var name: String
        var type: String?
        var text: String
        var json: String
    }

    private func values(_ index: Int, _ random: inout SplitMix) -> [Value] {
        func words(_ count: Int, _ random: inout SplitMix) -> String {
            (0..<count).map { _ in Self.words[Int(random.next(below: UInt64(Self.words.count)))] }.joined(
                separator: " ")
        }
        func string(_ name: String, _ count: Int, _ random: inout SplitMix) -> Value {
            let text = words(count, &random)
            return Value(
                name: name, type: nil, text: text,
                json: "\"\(text == "&amp;" ? "&" : text.split(separator: "&amp;").joined(separator: "&"))\"")
        }
        func plain(_ name: String, _ type: String, _ text: String) -> Value {
            Value(name: name, type: type, text: text, json: text)
        }
        func quoted(_ name: String, _ type: String, _ text: String) -> Value {
            Value(name: name, type: type, text: text, json: "\"\(text)\"")
        }
        let day = 10 + index % 18
        var found = [
            plain("OrderID", "Edm.Int32", "\(index)"),
            quoted("RowGuid", "Edm.Guid", "0123\(1_000 + index % 9_000)-1234-4321-9876-0123456789ab"),
            string("Name", 4, &random), string("Note", 9, &random),
            quoted("Created", "Edm.DateTimeOffset", "2012-05-\(day)T07:12:13.4567Z"),
            quoted("Changed", "Edm.DateTimeOffset", "2013-05-\(day)T07:12:13Z"),
            plain("Price", "Edm.Decimal", "\(index % 1_000).\(1_000 + random.next(below: 9_000))"),
            plain("Weight", "Edm.Double", "\(index % 500).\(100 + random.next(below: 899))"),
            plain("Count", "Edm.Int16", "\(index % 30_000)"),
            plain("Open", "Edm.Boolean", index % 2 == 0 ? "true" : "false"),
            quoted("Stamp", "Edm.DateTimeOffset", "2012-05-06T07:08:09+02:00"),
            plain("Serial", "Edm.Int64", "\(random.next(below: 1 << 50))"),
        ]
        guard !isRegular else {
            return found
        }
        random.shuffle(&found)
        found.removeLast(Int(random.next(below: 8)))
        for _ in 0..<random.next(below: 4) {
            let name = "Extra\(random.next(below: 300))"
            if !found.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                found.append(string(name, 2, &random))
            }
        }
        return found
    }

    func atom() -> [UInt8] { whole(atom) }

    func json() -> [UInt8] { whole(json) }

    private func whole(_ write: (([UInt8]) -> Void) -> Void) -> [UInt8] {
        var feed: [UInt8] = []
        feed.reserveCapacity(bytes + 4_096)
        write { feed += $0 }
        return feed
    }

    /// Passes the feed on entry by entry, so that a large one need not be in memory.
    func atom(_ take: ([UInt8]) -> Void) {
        var random = SplitMix(seed: seed)
        let start = Array(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xml:base=\"http://host/svc/\" xmlns=\"http://www.w3.org/2005/Atom\" xmlns:d=\"\(Self.data)\" xmlns:m=\"\(Self.data)/metadata\">\n"
                .utf8)
        take(start)
        var count = start.count
        var index = 0
        while count < bytes {
            let entry = Array(atomEntry(index, &random, isInner: false).utf8)
            take(entry)
            count += entry.count
            index += 1
        }
        take(Array("</feed>\n".utf8))
    }

    private func atomEntry(_ index: Int, _ random: inout SplitMix, isInner: Bool) -> String {
        var text =
            "  <entry m:etag=\"W/&quot;\(index)&quot;\">\n    <id>http://host/svc/Orders(\(index))</id>\n    <title type=\"text\"></title>\n"
        text += "    <link rel=\"edit\" title=\"Order\" href=\"Orders(\(index))\" />\n"
        let related =
            "<link rel=\"\(Self.data)/related/Items\" type=\"application/atom+xml;type=feed\" title=\"Items\" href=\"Orders(\(index))/Items\""
        if !isRegular, !isInner, index % 3 == 0 {
            text +=
                "    \(related)><m:inline><feed>\n"
                + (0..<2).map { atomEntry(index * 2 + $0, &random, isInner: true) }.joined()
                + "</feed></m:inline></link>\n"
        } else {
            text += "    \(related) />\n"
        }
        text +=
            "    <category term=\"Shop.Order\" scheme=\"\(Self.data)/scheme\" />\n    <content type=\"application/xml\">\n      <m:properties>\n"
        for value in values(index, &random) {
            text +=
                "        <d:\(value.name)" + (value.type.map { " m:type=\"\($0)\"" } ?? "")
                + ">\(value.text)</d:\(value.name)>\n"
        }
        text +=
            "        <d:Remark m:null=\"true\" />\n        <d:Address m:type=\"Shop.Address\">\n          <d:City>Bern</d:City>\n          <d:Country>CH</d:Country>\n        </d:Address>\n"
        return text + "      </m:properties>\n    </content>\n  </entry>\n"
    }

    func json(_ take: ([UInt8]) -> Void) {
        var random = SplitMix(seed: seed)
        let start = Array("{\"@odata.context\":\"http://host/svc/$metadata#Orders\",\"value\":[".utf8)
        take(start)
        var count = start.count
        var index = 0
        while count < bytes {
            let entry = Array(((index > 0 ? "," : "") + jsonEntry(index, &random, isInner: false)).utf8)
            take(entry)
            count += entry.count
            index += 1
        }
        take(Array("]}".utf8))
    }

    private func jsonEntry(_ index: Int, _ random: inout SplitMix, isInner: Bool) -> String {
        var members = ["\"@odata.etag\":\"W/\\\"\(index)\\\"\""]
        members += values(index, &random).map { "\"\($0.name)\":\($0.json)" }
        members += ["\"Remark\":null", "\"Address\":{\"City\":\"Bern\",\"Country\":\"CH\"}"]
        if !isRegular, !isInner, index % 3 == 0 {
            members.append(
                "\"Items\":[" + (0..<2).map { jsonEntry(index * 2 + $0, &random, isInner: true) }.joined(separator: ",")
                    + "]")
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
