import Soups

/// Appends length and checksum to the plain file of an entry, so that a cut off or changed file is noticed.
///
/// The text stays first in the file, readable by any program: text, newline, length in decimal, blank, 16 hex digits,
/// newline.
enum ElementTrailer {
    static func append(to text: [UInt8]) -> [UInt8] {
        text + trailer(of: text[...])
    }

    static func remove(from file: [UInt8]) throws(Fault) -> [UInt8] {
        guard let line = file.dropLast().lastIndex(of: UInt8(ascii: "\n")),
            Array(file[line...]) == trailer(of: file[..<line])
        else {
            throw Fault(.corrupt, "the file of an entry is truncated or was changed")
        }
        return Array(file[..<line])
    }

    private static func trailer(of text: ArraySlice<UInt8>) -> [UInt8] {
        let digits = String(checksum(text), radix: 16)
        return Array("\n\(text.count) \(String(repeating: "0", count: 16 - digits.count))\(digits)\n".utf8)
    }

    /// FNV-1a with 64 bits: finds damage, not forgery. Keyed stores have an authenticated form instead.
    private static func checksum(_ text: ArraySlice<UInt8>) -> UInt64 {
        text.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
