/// A number as its digits, compared exactly.
struct PlainNumber: Sendable {
    private var isNegative = false
    /// Without zeros at the beginning and the end; empty for zero.
    private var digits: [UInt8] = []
    /// The position of the point, counted from before the first digit.
    private var point = 0

    /// nil for a text that is not a number, such as `1.5`, `-3` or `2e10`.
    init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            bytes.removeFirst()
        }
        var exponent = 0
        if let mark = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let value = Int(String(decoding: bytes[(mark + 1)...], as: UTF8.self)), abs(value) < 1_000_000 else {
                return nil
            }
            exponent = value
            bytes = bytes[..<mark]
        }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let all = parts.joined()
        guard !all.isEmpty, !parts[0].isEmpty, all.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        digits = Array(all)
        point = parts[0].count + exponent
        while digits.first == 0x30 {
            digits.removeFirst()
            point -= 1
        }
        while digits.last == 0x30 {
            digits.removeLast()
        }
        if digits.isEmpty {
            point = 0
            isNegative = false
        }
    }

    /// -1, 0 or 1.
    func compared(to other: PlainNumber) -> Int {
        guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
        let size = sizeCompared(to: other)
        return isNegative ? -size : size
    }

    private func sizeCompared(to other: PlainNumber) -> Int {
        if digits.isEmpty || other.digits.isEmpty {
            return digits.isEmpty ? (other.digits.isEmpty ? 0 : -1) : 1
        }
        if point != other.point {
            return point < other.point ? -1 : 1
        }
        if digits == other.digits {
            return 0
        }
        return digits.lexicographicallyPrecedes(other.digits) ? -1 : 1
    }
}
