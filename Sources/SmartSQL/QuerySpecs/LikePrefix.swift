import Soups

/// Finds intervals of a BINARY index that contain every text that a `LIKE` pattern can match.
///
/// LIKE ignores the case of ASCII letters, but the index does not. So the fixed prefix of the pattern, up to its third
/// letter, is written in all combinations of cases, which gives at most eight intervals. They may contain texts that do
/// not match, so LIKE remains as a filter.
enum LikePrefix {
    static let letterLimit = 3

    /// The intervals in ascending order; nil if the pattern has no fixed prefix.
    static func intervals(of pattern: [UInt8]) -> [KeyInterval]? {
        var spellings: [[UInt8]] = [[]]
        var letters = 0
        for byte in pattern {
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "_") || byte == 0 {
                break
            }
            guard isLetter(byte) else {
                for index in spellings.indices {
                    spellings[index].append(byte)
                }
                continue
            }
            guard letters < letterLimit else { break }
            letters += 1
            spellings = spellings.map { $0 + [byte & ~0x20] } + spellings.map { $0 + [byte | 0x20] }
        }
        guard let first = spellings.first, !first.isEmpty else { return nil }
        return spellings.sorted { $0.lexicographicallyPrecedes($1) }.map { prefix in
            // No byte of UTF-8 is 0xFF, so the last byte has a successor. The result need not be valid UTF-8, because
            // bytes are compared.
            var end = prefix
            end[end.count - 1] += 1
            return KeyInterval(lower: .text(prefix), upper: .text(end), excludesUpper: true)
        }
    }

    /// Whether the text of a number can start like the pattern: with a digit, a sign, or `Inf`, which SQLite writes for
    /// numbers that are too large.
    static func mayBeNumber(_ pattern: [UInt8]) -> Bool {
        guard let first = pattern.first else { return true }
        return (first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9")) || "-+.iI%_".utf8.contains(first)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let upper = byte & ~0x20
        return upper >= UInt8(ascii: "A") && upper <= UInt8(ascii: "Z")
    }
}
