import Foundation
import FoundationXML
import JSONText
import OData
import Soups
import XMLText

/// A way of reading a file: prepared once (what must not count), then done again and again; gives the number of
/// entries, or of what it counts.
struct Work {
    let name: String
    let prepare: (_ path: String) throws -> () throws -> Int

    /// Works that stream read the file themselves, 64 KiB at a time; those that need a whole body have it in memory
    /// before.
    static var all: [Work] {
        [
            Work(name: "atom") { path in { try entries(path, .v2) } },
            Work(name: "json") { path in { try entries(path, .v4) } },
            Work(name: "tokens") { path in { try tokens(path) } },
            Work(name: "tape") { path in
                let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
                let tape = JSONTape()
                return {
                    try bytes.withUnsafeBytes { try tape.read($0) }
                    return tape.withRoot { root in root.members.reduce(0) { count, _ in count + 1 } }
                }
            },
            Work(name: "decoder") { path in
                let data = try Data(contentsOf: URL(filePath: path))
                return { try JSONDecoder().decode(DecodedFeed.self, from: data).value.count }
            },
            Work(name: "serialization") { path in
                let data = try Data(contentsOf: URL(filePath: path))
                return {
                    let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                    return (root?["value"] as? [Any])?.count ?? 0
                }
            },
            Work(name: "foundation-xml") { path in { try FoundationFeed.count(path) } },
        ]
    }

    private static let piece = 64 << 10

    /// Reads a file piece by piece; entries are counted and dropped.
    private static func entries(_ path: String, _ version: ODataVersion) throws -> Int {
        var options = PayloadOptions(version: version)
        options.limits.totalBytes = .max
        var reader = ODataPayloadReader(options: options)
        let file = try Pieces(path, count: piece)
        var count = 0
        while true {
            switch try reader.next() {
            case .entry: count += 1
            case .link: continue
            case .end: return count
            case .needsInput: if let bytes = file.next() { try reader.append(bytes) } else { try reader.finish() }
            }
        }
    }

    private static func tokens(_ path: String) throws -> Int {
        var limits = XMLLimits()
        limits.totalBytes = .max
        var tokenizer = XMLTokenizer(limits: limits)
        let file = try Pieces(path, count: piece)
        var count = 0
        while true {
            switch try tokenizer.next() {
            case .startElement: count += 1
            case .endOfDocument: return count
            case .needsInput: if let bytes = file.next() { tokenizer.append(bytes) } else { tokenizer.finish() }
            default: continue
            }
        }
    }
}
