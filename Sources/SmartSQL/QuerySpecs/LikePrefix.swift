import Soups

/// Finds the intervals of a BINARY index in which every text lies that a `LIKE` pattern can fit.
///
/// LIKE takes ASCII letters in either case, the index does not: the fixed beginning of the pattern, cut after its third
/// letter, is spelled in all cases, which are at most eight intervals. What lies in them may still not fit: LIKE stays
/// as a filter.
enum LikePrefix {
    static let letterLimit = 3

    /// The intervals in ascending order; nil where the pattern has no fixed beginning.
    static func intervals(of pattern: [UInt8]) -> [KeyInterval]? {
        var spellings: [[UInt8]] = [[]]
        var letters = 0
        for byte in pattern {
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "_") || byte == 0 {
                break
            }
            guard isLetter(byte) else {
                for place in spellings.indices {
                    spellings[place].append(byte)
                }
                continue
            }
            guard letters < letterLimit else { break }
            letters += 1
            spellings = spellings.map { $0 + [byte & ~0x20] } + spellings.map { $0 + [byte | 0x20] }
        }
        guard let first = spellings.first, !first.isEmpty else { return nil }
        return spellings.sorted { $0.lexicographicallyPrecedes($1) }.map { prefix in
            // No byte of UTF-8 is 0xFF, so that the last byte has a successor; comparison is by bytes, it need not be a
            // character.
            var end = prefix
            end[end.count - 1] += 1
            return KeyInterval(lower: .text(prefix), upper: .text(end), excludesUpper: true)
        }
    }

    /// Whether a number's text can begin as the pattern does: with a digit, a sign, or as `Inf`, which SQLite writes
    /// for what is too large.
    static func mayBeNumber(_ pattern: [UInt8]) -> Bool {
        guard let first = pattern.first else { return true }
        return (first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9")) || "-+.iI%_".utf8.contains(first)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let upper = byte & ~0x20
        return upper >= UInt8(ascii: "A") && upper <= UInt8(ascii: "Z")
    }
}
