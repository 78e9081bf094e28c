import FoundationEssentials
import OData
import Soups
import XMLText

/// What reading payloads costs: Atom to entries beside the bare tokens of the same document, JSON to entries beside JSONDecoder (structs, dates as
/// strings). Bodies are given in pieces of 256 KiB, entries are counted and dropped.
///
/// expat, FoundationXML and simdjson are no part of this program: `ci/payload-speed` prints them beside these figures.
enum ODataPayloadCells: CellSource {
    static let entries = Arm("entries")
    static let tokens = Arm("tokens")
    static let decoder = Arm("decoder")

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else { return [] }
        let sizes: [(megabytes: Int, profile: Profile.Name)] = [(1, .quick), (20, .full), (100, .full)]
        return sizes.filter { scope.profile.name != .smoke || $0.megabytes == 1 }.flatMap { size in
            [true, false].flatMap { [atom(size.megabytes, size.profile, isRegular: $0), json(size.megabytes, size.profile, isRegular: $0)] }
        }
    }

    private static func atom(_ megabytes: Int, _ profile: Profile.Name, isRegular: Bool) -> Cell {
        Cell(
            "odata-atom", ["feed": isRegular ? "regular" : "irregular", "megabytes": String(megabytes)], revision: 1,
            summary: "reads an Atom feed of \(megabytes) MB to entries, streaming", arms: [entries, tokens],
            comparisons: [.init(tokens, entries, sameAnswer: false)], primary: .cpu, profile: profile
        ) { arm, place in
            let feed = FeedCorpus(isRegular: isRegular, bytes: megabytes << 20, seed: place.seed).atom()
            var count = 0
            return Computation {
                count = arm.work == tokens ? try countTokens(feed) : try countEntries(feed, .v2)
                return feed.count
            } answer: { $0.add(count) }
        }
    }

    private static func json(_ megabytes: Int, _ profile: Profile.Name, isRegular: Bool) -> Cell {
        Cell(
            "odata-json", ["feed": isRegular ? "regular" : "irregular", "megabytes": String(megabytes)], revision: 1,
            summary: "reads a JSON feed of \(megabytes) MB to entries, streaming", arms: [entries, decoder],
            comparisons: [.init(entries, decoder)], primary: .cpu, profile: profile,
            claims: isRegular
                ? [
                    Claim(
                        "FLOOR-odata-json", "JSON to entries is 8 times faster than JSONDecoder", backend: "plain",
                        .slower(base: entries, arm: decoder, atLeast: 8))
                ] : []
        ) { arm, place in
            let feed = FeedCorpus(isRegular: isRegular, bytes: megabytes << 20, seed: place.seed).json()
            let data = arm.work == decoder ? Data(feed) : Data()
            var count = 0
            return Computation {
                count = arm.work == decoder ? try JSONDecoder().decode(DecodedFeed.self, from: data).value.count : try countEntries(feed, .v4)
                return feed.count
            } answer: { $0.add(count) }
        }
    }

    private struct DecodedFeed: Decodable {
        struct Address: Decodable {
            let City: String
            let Country: String
        }
        struct Row: Decodable {
            let OrderID: Int32?
            let RowGuid: String?
            let Name: String?
            let Note: String?
            let Created: String?
            let Changed: String?
            let Price: Double?
            let Weight: Double?
            let Count: Int16?
            let Open: Bool?
            let Stamp: String?
            let Serial: Int64?
            let Remark: String?
            let Address: Address
        }
        let value: [Row]
    }

    private static func countEntries(_ feed: [UInt8], _ version: ODataVersion) throws(Fault) -> Int {
        var options = PayloadOptions(version: version)
        options.limits.totalBytes = .max
        var reader = ODataPayloadReader(options: options)
        var count = 0
        var place = 0
        while true {
            switch try reader.next() {
            case .entry: count += 1
            case .end: return count
            case .needsInput:
                if place < feed.count {
                    let end = min(feed.count, place + 256 << 10)
                    try reader.append(Array(feed[place..<end]))
                    place = end
                } else {
                    try reader.finish()
                }
            }
        }
    }

    private static func countTokens(_ feed: [UInt8]) throws(XMLError) -> Int {
        var limits = XMLLimits()
        limits.totalBytes = .max
        var tokenizer = XMLTokenizer(limits: limits)
        var count = 0
        var place = 0
        while true {
            switch try tokenizer.next() {
            case .startElement: count += 1
            case .endOfDocument: return count
            case .needsInput:
                if place < feed.count {
                    let end = min(feed.count, place + 256 << 10)
                    tokenizer.append(Array(feed[place..<end]))
                    place = end
                } else {
                    tokenizer.finish()
                }
            default: continue
            }
        }
    }
}
