import TestSupport

/// Generates random JSON texts: valid ones, and ones with a few bytes changed.
struct RandomDocument {
    var random: SeededRandom
    private var text: [UInt8] = []
    private var names = 0

    init(random: SeededRandom) { self.random = random }

    /// A valid text without duplicate names, in which all numbers are in the range of a double.
    mutating func valid() -> [UInt8] {
        text = []
        names = 0
        value(depth: 0)
        return text
    }

    /// A valid text with one to three bytes changed, inserted, removed or cut off.
    mutating func damaged() -> [UInt8] {
        var bytes = valid()
        for _ in 0...Int.random(in: 0...2, using: &random) {
            guard !bytes.isEmpty else { break }
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
            case 2: bytes[index] = UInt8.random(in: 1...255, using: &random)
            case 3: bytes[index] = Self.structure.randomElement(using: &random) ?? 0x2C
            case 4: bytes.insert(Self.structure.randomElement(using: &random) ?? 0x2C, at: index)
            default: bytes.removeLast(min(bytes.count, Int.random(in: 1...3, using: &random)))
            }
        }
        return bytes
    }

    private static let structure = Array("{}[]:,\"\\u0e-+.1 tn\u{7F}".utf8)

    private mutating func value(depth: Int) {
        blanks()
        switch Int.random(in: 0..<(depth < 5 ? 10 : 6), using: &random) {
        case 0: append(["null", "true", "false"].randomElement(using: &random) ?? "null")
        case 1, 2: number()
        case 3, 4, 5: string(unique: false)
        case 6, 7: container("[", "]") { $0.value(depth: depth + 1) }
        default:
            container("{", "}") { document in
                document.blanks()
                document.string(unique: true)
                document.blanks()
                document.append(":")
                document.value(depth: depth + 1)
            }
        }
        blanks()
    }

    private mutating func container(_ begin: String, _ end: String, _ item: (inout RandomDocument) -> Void) {
        append(begin)
        let count = Int.random(in: 0...5, using: &random)
        for index in 0..<count {
            if index > 0 {
                append(",")
            }
            item(&self)
        }
        if count == 0 {
            blanks()
        }
        append(end)
    }

    private mutating func number() {
        if Bool.random(using: &random) {
            append("-")
        }
        let digits = Int.random(in: 1...17, using: &random)
        append(
            digits == 1
                ? "0"
                : String(UInt64.random(in: 1..<100_000_000_000_000_000, using: &random)).prefix(digits).description)
        if Bool.random(using: &random) {
            append("." + String(UInt64.random(in: 0..<1_000_000, using: &random)))
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            append(["e", "E", "e+", "E-"].randomElement(using: &random) ?? "e")
            append(String(Int.random(in: 0...30, using: &random)))
        }
    }

    private mutating func string(unique: Bool) {
        append("\"")
        if unique {
            names += 1
            append("\(names)")
        }
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                append(
                    ["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"].randomElement(using: &random) ?? "\\n")
            case 1: append("\\u" + hex(UInt32.random(in: 1..<0xD800, using: &random)))
            case 2:
                append(
                    "\\u" + hex(UInt32.random(in: 0xD800...0xDBFF, using: &random)) + "\\u"
                        + hex(UInt32.random(in: 0xDC00...0xDFFF, using: &random)))
            case 3, 4: scalar(UInt32.random(in: 0x80...0x10FFFF, using: &random))
            case 5: scalar(UInt32.random(in: 0x80...0x7FF, using: &random))
            default: scalar(UInt32.random(in: 0x20..<0x7F, using: &random))
            }
        }
        append("\"")
    }

    private mutating func scalar(_ value: UInt32) {
        guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { return }
        text += Array(String(Character(scalar)).utf8)
    }

    private mutating func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: Bool.random(using: &random))
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private mutating func blanks() {
        guard Int.random(in: 0..<6, using: &random) == 0 else { return }
        append([" ", "\n", "\t", "\r\n", "    "].randomElement(using: &random) ?? " ")
    }

    private mutating func append(_ part: String) { text += Array(part.utf8) }
}
