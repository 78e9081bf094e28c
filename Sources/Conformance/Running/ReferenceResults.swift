import Soups
import Synchronization

/// The result bytes of each case on the first back end that passed it, with which other back ends are compared. Safe to
/// share between threads.
public final class ReferenceResults: Sendable {
    private struct Entry {
        let backEnd: String
        let results: [[UInt8]?]
    }

    private let entries = Mutex<[ByteKey: Entry]>([:])

    public init() {}

    /// Stores the results if they are the first of the case. Otherwise returns how they differ from the first ones; nil
    /// if they are equal.
    func difference(of results: [[UInt8]?], case id: String, backEnd: String) -> String? {
        let first = entries.withLock { entries -> Entry? in
            if let entry = entries[ByteKey(id)] {
                return entry
            }
            entries[ByteKey(id)] = Entry(backEnd: backEnd, results: results)
            return nil
        }
        guard let first else { return nil }
        for (index, (mine, other)) in zip(results, first.results).enumerated() {
            guard let mine, let other, mine != other else { continue }
            return "steps[\(index)]: the bytes differ from those of \(first.backEnd) "
                + Self.firstDifference(other, mine)
        }
        return nil
    }

    private static func firstDifference(_ expected: [UInt8], _ found: [UInt8]) -> String {
        let common = zip(expected, found).prefix { $0 == $1 }.count
        func part(_ bytes: [UInt8]) -> String {
            String(decoding: bytes.dropFirst(max(0, common - 20)).prefix(60), as: UTF8.self)
        }
        return "from byte \(common): expected \(part(expected)), found \(part(found))"
    }
}
