import Benchmarking
import OData
import Soups
import XMLText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cost of reading payloads: Atom to entries compared with only the tokens of the same document, JSON to entries
/// compared with JSONDecoder (structs, dates as strings). Bodies are passed in chunks of 256 KiB; entries are counted
/// and dropped.
///
/// Warm: the work is repeated in one process. Cold: once in a process of its own, including page faults. expat,
/// FoundationXML and simdjson are not part of this program: `ci/payload-speed/run` measures them on the same feeds.
enum ODataPayloadCells: CellSource {
    static let entries = Arm("entries")
    static let tokens = Arm("tokens")
    static let decoder = Arm("decoder")

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        var cells: [Cell] = []
        for megabytes in scope.profile.name == .smoke ? [1] : [1, 20, 100] {
            for isRegular in [true, false] {
                for style in [Cell.Style.repeated, .once] {
                    let feed = Feed(megabytes: megabytes, isRegular: isRegular, style: style)
                    cells.append(atom(feed))
                    // JSONDecoder holds the whole document and all of its rows: 600 MB for one of 100 MB.
                    if megabytes < 100 {
                        cells.append(json(feed))
                    }
                }
            }
        }
        return cells
    }

    /// The feed to read, and how often.
    private struct Feed {
        let megabytes: Int
        let isRegular: Bool
        let style: Cell.Style

        var parameters: KeyValuePairs<String, String> {
            ["feed": isRegular ? "regular" : "irregular", "megabytes": String(megabytes)]
        }
        var suffix: String { style == .once ? "-cold" : "" }
        var profile: Profile.Name { megabytes == 1 && style == .repeated ? .quick : .full }

        func corpus(_ seed: UInt64) -> FeedCorpus {
            FeedCorpus(isRegular: isRegular, bytes: megabytes << 20, seed: seed)
        }
    }

    private static func atom(_ feed: Feed) -> Cell {
        Cell(
            "odata-atom" + feed.suffix, feed.parameters, revision: 1,
            summary: "reads an Atom feed of \(feed.megabytes) MB to entries, streaming",
            arms: [entries, tokens], comparisons: [.init(tokens, entries, sameAnswer: false)], style: feed.style,
            primary: .cpu, profile: feed.profile
        ) { arm, workplace in
            let body = feed.corpus(workplace.seed).atom()
            var count = 0
            return Computation {
                count = arm.work == tokens ? try countTokens(body) : try countEntries(body, .v2)
                return body.count
            } answer: {
                $0.add(count)
            }
        }
    }

    private static func json(_ feed: Feed) -> Cell {
        Cell(
            "odata-json" + feed.suffix, feed.parameters, revision: 2,
            summary: "reads a JSON feed of \(feed.megabytes) MB to entries, streaming",
            arms: [entries, decoder], comparisons: [.init(entries, decoder)], style: feed.style, primary: .cpu,
            profile: feed.profile,
            claims: feed.isRegular
                ? [
                    Claim(
                        "FLOOR-odata-json", "JSON to entries is 8 times faster than JSONDecoder", backend: "any",
                        .slower(base: entries, arm: decoder, atLeast: 8))
                ] : []
        ) { arm, workplace in
            let body = feed.corpus(workplace.seed).json()
            let data = arm.work == decoder ? Data(body) : Data()
            var count = 0
            return Computation {
                count =
                    arm.work == decoder
                    ? try JSONDecoder().decode(DecodedFeed.self, from: data).value.count : try countEntries(body, .v4)
                return body.count
            } answer: { digest in
                digest.add(count)
                try feedOrders(in: body, arm, &digest)
            }
        }
    }

    /// Adds the ids and names of all orders of a JSON feed in their order, as an arm reads them. A count alone would be
    /// the same for other entries.
    static func feedOrders(in body: [UInt8], _ arm: Arm, _ digest: inout ContentDigest) throws {
        func add(_ id: String?, _ name: String?) {
            digest.add(id ?? "none")
            digest.add(name ?? "none")
        }
        guard arm.work != decoder else {
            for row in try JSONDecoder().decode(DecodedFeed.self, from: Data(body)).value {
                add(row.OrderID.map { String($0) }, row.Name)
            }
            return
        }
        var options = PayloadOptions(version: .v4)
        options.limits.totalBytes = .max
        var reader = ODataPayloadReader(options: options)
        try body.withUnsafeBytes { try reader.append($0) }
        try reader.finish()
        while true {
            switch try reader.next() {
            case .entry(let entry):
                var name: String?
                if case .string(let text)? = entry["Name"] {
                    name = text
                }
                add(entry["OrderID"]?.canonicalText, name)
            case .link: continue
            case .end: return
            case .needsInput: throw Fault(.inputOutput, "the feed ends too early")
            }
        }
    }

    private static func countEntries(_ feed: [UInt8], _ version: ODataVersion) throws -> Int {
        var options = PayloadOptions(version: version)
        options.limits.totalBytes = .max
        var reader = ODataPayloadReader(options: options)
        var count = 0
        var offset = 0
        while true {
            switch try reader.next() {
            case .entry: count += 1
            case .link: continue
            case .end: return count
            case .needsInput:
                if offset < feed.count {
                    let end = min(feed.count, offset + 256 << 10)
                    try feed.withUnsafeBytes { try reader.append(UnsafeRawBufferPointer(rebasing: $0[offset..<end])) }
                    offset = end
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
        var offset = 0
        while true {
            switch try tokenizer.next() {
            case .startElement: count += 1
            case .endOfDocument: return count
            case .needsInput:
                if offset < feed.count {
                    let end = min(feed.count, offset + 256 << 10)
                    feed.withUnsafeBytes { tokenizer.append(UnsafeRawBufferPointer(rebasing: $0[offset..<end])) }
                    offset = end
                } else {
                    tokenizer.finish()
                }
            default: continue
            }
        }
    }
}
