/// A set of scalars in a pattern: `[a-z]`, `[^,]`, `.`, `\d`.
struct PatternSet: Sendable, Equatable {
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false

    /// Finds the scalar by binary search. The ranges are sorted and do not overlap, see `sort`.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar.value {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return (low < ranges.count && ranges[low].contains(scalar.value)) != isNegated
    }

    /// Sorts the ranges and merges those that overlap.
    mutating func sort() {
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        ranges = result
    }

    /// The ranges of the set, or of its complement if the set is negated.
    var allRanges: [ClosedRange<UInt32>] {
        guard isNegated else {
            return ranges
        }
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next {
                result.append(next...range.lowerBound - 1)
            }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF {
            result.append(next...0x10FFFF)
        }
        return result
    }

    /// The set of a class escape: `d`, `s`, `w`, or the complement for a capital letter; nil for other letters.
    init?(escape: UInt32) {
        switch Unicode.Scalar(escape) {
        case "d", "D": ranges = [0x30...0x39]
        case "w", "W": ranges = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        case "s", "S":
            ranges = [
                0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
                0x202F...0x202F, 0x205F...0x205F,
                0x3000...0x3000, 0xFEFF...0xFEFF,
            ]
        default: return nil
        }
        isNegated = escape < 0x61
    }

    init() {}

    /// All scalars except line terminators.
    static let any = {
        var set = PatternSet()
        set.ranges = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]
        set.isNegated = true
        return set
    }()

    /// Whether `\b` counts the scalar as part of a word.
    static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, scalar.isASCII else { return false }
        return Identifier.isASCIIPart(UInt8(truncatingIfNeeded: scalar.value))
    }
}
