import Soups

/// Boundaries of multipart bodies: which are allowed, and which do not occur in what they separate.
enum MultipartBoundary {
    /// The characters of RFC 2046, 5.1.1, except the blank, which would get lost at the end of a header.
    static func isValid(_ boundary: String) -> Bool {
        (1...maximumLength).contains(boundary.utf8.count)
            && boundary.utf8.allSatisfy { byte in
                byte.isUnreserved && byte != UInt8(ascii: "~") || "'()+_,./:=? ".utf8.contains(byte)
            } && boundary.utf8.last != 0x20
    }

    /// The value of a Content-Type, with quotes around characters that a bare parameter cannot have.
    static func contentType(_ boundary: String) -> String {
        let isPlain = boundary.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "'") }
        return "multipart/mixed; boundary=" + (isPlain ? boundary : "\"\(boundary)\"")
    }

    /// A boundary of 32 random hexadecimal digits.
    static func randomDigits() -> String {
        var generator = SystemRandomNumberGenerator()
        var digits = ""
        for _ in 0..<2 {
            let text = String(generator.next(), radix: 16)
            digits += String(repeating: "0", count: 16 - text.utf8.count) + text
        }
        return digits
    }

    /// The boundary itself or, if it begins a line of a body, with the first suffix `_1`, `_2`, ... that does not. A
    /// boundary that is too long for a suffix loses its last characters.
    ///
    /// O(n) in the size of the bodies: every line is looked at once.
    static func free(_ boundary: String, in bodies: [[UInt8]]) -> String {
        var isTaken = false
        var suffixes: Set<Int> = []
        let stem = String(boundary.prefix(maximumLength - maximumSuffixLength))
        let whole = Array("--\(boundary)".utf8)
        let start = Array("--\(stem)".utf8)
        for body in bodies {
            var lines = BatchLines(body[...])
            while let line = lines.next() {
                guard line.starts(with: start) else { continue }
                isTaken = isTaken || line.starts(with: whole)
                addSuffixes(line.dropFirst(start.count), to: &suffixes)
            }
        }
        guard isTaken else {
            return boundary
        }
        var suffix = 1
        while suffixes.contains(suffix) {
            suffix += 1
        }
        return stem + "_\(suffix)"
    }

    private static let maximumLength = 70
    /// The underscore, and nine digits.
    private static let maximumSuffixLength = 10

    /// Adds the numbers with which a text begins: `_12` has 1 and 12.
    private static func addSuffixes(_ text: ArraySlice<UInt8>, to suffixes: inout Set<Int>) {
        guard text.first == UInt8(ascii: "_") else { return }
        var number = 0
        for byte in text.dropFirst().prefix(maximumSuffixLength - 1) {
            guard byte &- 0x30 < 10 else { return }
            number = number * 10 + Int(byte - 0x30)
            suffixes.insert(number)
        }
    }
}
