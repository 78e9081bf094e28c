import OData
import Soups
import Synchronization

/// The queries without a model that were parsed last, with their plans.
///
/// An app that asks for the same text again and again need not keep the query: the text is neither parsed nor planned
/// again, as a text of Smart SQL is translated once. What is kept does not depend on a store. Safe to share between
/// threads.
final class RecentQueries: Sendable {
    /// A query and how it was answered.
    struct Parsed {
        let query: RowQuery
        let plans: KeptPlans
    }

    private struct Key: Hashable {
        let text: ByteKey
        let version: ODataVersion
        let limits: Limits
    }

    /// The queries of the process.
    static let shared = RecentQueries()

    /// How many queries are kept. A full list starts over.
    static let maximum = 64
    /// The length of the longest text that is kept, in bytes.
    static let maximumLength = 4_096

    private let known = Mutex<[Key: Parsed]>([:])

    /// Returns the query of a text, and parses it first if it is not known. A text that may ask for the time is not
    /// kept: its value of `now()` is that of its parsing.
    ///
    /// - Throws: what `parse` throws; a text that it refuses is not kept.
    func query(
        _ text: String, version: ODataVersion, limits: Limits, parse: () throws(Fault) -> RowQuery
    ) throws(Fault) -> Parsed {
        guard text.utf8.count <= Self.maximumLength, !Self.mayAskForTime(text) else {
            return Parsed(query: try parse(), plans: KeptPlans())
        }
        let key = Key(text: ByteKey(text), version: version, limits: limits)
        if let found = known.withLock({ $0[key] }) {
            return found
        }
        let parsed = Parsed(query: try parse(), plans: KeptPlans())
        known.withLock { known in
            if known.count >= Self.maximum {
                known = [:]
            }
            known[key] = parsed
        }
        return parsed
    }

    /// Whether a text has the letters of `now` in a row, in either case. One that has percent-encoded letters may have
    /// them too: nothing else encodes letters.
    private static func mayAskForTime(_ text: String) -> Bool {
        var last: (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            let isEncodedLetter = last.0 == UInt8(ascii: "%") && isLetter(last.1, byte)
            if isEncodedLetter || (last.0 | 0x20, last.1 | 0x20, byte | 0x20) == (0x6E, 0x6F, 0x77) {
                return true
            }
            last = (last.1, byte)
        }
        return false
    }

    /// Whether two digits of a percent-encoding may be those of a letter of ASCII.
    private static func isLetter(_ high: UInt8, _ low: UInt8) -> Bool {
        guard let byte = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16) else { return false }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
