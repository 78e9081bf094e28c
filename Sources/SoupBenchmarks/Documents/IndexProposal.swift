import JSONText
import Soups

/// Proposes index specs for documents by what their first members hold: short texts and numbers by their own types,
/// long texts for full-text search.
struct IndexProposal {
    /// All paths with texts or numbers, in the order in which they came.
    private(set) var paths: [String] = []
    private var seen: [ByteKey: Seen] = [:]
    private var documents = 0

    private struct Seen {
        var texts = 0
        var textBytes = 0
        var integers = 0
        var fractions = 0
        var values: Set<ByteKey> = []
    }

    /// So many documents are looked at.
    private static let sample = 1_000
    /// A text that is longer on average is for full-text search.
    private static let longText = 60
    private static let most = 4

    var isFull: Bool { documents >= Self.sample }

    /// The path that is spelt most like a text; nil if none is.
    func nearest(_ text: String) -> String? {
        let wanted = Array(text.utf8)
        let distances = paths.map { (path: $0, distance: EditDistance.of(wanted, Array($0.utf8))) }
        // Two letters that are swapped are a distance of 2.
        let farthest = wanted.count < 4 ? 1 : max(2, wanted.count / 3)
        return distances.min { $0.distance < $1.distance }.flatMap { $0.distance <= farthest ? $0.path : nil }
    }

    mutating func offer(_ document: [UInt8]) {
        guard documents < Self.sample, let object = (try? JSONValue(parsing: document))?.object else { return }
        documents += 1
        for member in object.members {
            take(member.name, member.value)
            for inner in member.value.object?.members ?? [] where !member.name.utf8.contains(UInt8(ascii: ".")) {
                take(member.name + "." + inner.name, inner.value)
            }
        }
    }

    private mutating func take(_ path: String, _ value: JSONValue) {
        let key = ByteKey(path)
        var one = seen[key] ?? Seen()
        if let text = value.string {
            one.texts += 1
            one.textBytes += text.utf8.count
            one.values.insert(ByteKey(text))
        } else if let number = value.int64 {
            one.integers += 1
            one.values.insert(ByteKey(String(number)))
        } else if value.double != nil {
            one.fractions += 1
        } else {
            return
        }
        if seen[key] == nil {
            paths.append(path)
        }
        seen[key] = one
    }

    /// What to write for `--index`: first the path with the most different values, then others in the order of the
    /// documents; empty if nothing suits.
    var specs: [String] {
        let found = paths.compactMap { path in seen[ByteKey(path)].map { (path: path, seen: $0) } }
            .filter { $0.seen.texts + $0.seen.integers + $0.seen.fractions >= max(1, documents / 2) }
        let short = found.filter { !Self.isLong($0.seen) }.enumerated().sorted {
            $0.element.seen.values.count != $1.element.seen.values.count
                ? $0.element.seen.values.count > $1.element.seen.values.count : $0.offset < $1.offset
        }.map(\.element)
        let long = found.filter { Self.isLong($0.seen) }
        return (short.prefix(Self.most - min(1, long.count)) + long.prefix(1)).map {
            "\($0.path):\(Self.type($0.seen))"
        }
    }

    private static func isLong(_ seen: Seen) -> Bool { seen.texts > 0 && seen.textBytes / seen.texts > longText }

    private static func type(_ seen: Seen) -> String {
        if seen.texts > 0 {
            return (isLong(seen) ? IndexType.fullText : .string).rawValue
        }
        return (seen.fractions > 0 ? IndexType.floating : .integer).rawValue
    }
}
