/// The value of a number as sign, digits and a power of ten: `-12.50` is -125 x 10^-1. Equal numbers have equal forms.
///
/// The form is exact for exponents of at most 30 digits. Longer exponents are kept and compared as text.
struct DecimalForm: Equatable {
    var isNegative = false
    /// The digits without leading and trailing zeros; empty for zero.
    var digits: [UInt8] = []
    /// The power of ten of the last digit.
    var exponent: Int128 = 0
    /// The exponent as written, if it has more than 30 digits.
    var hugeExponent: [UInt8] = []

    /// Creates the form of a text that is known to be a valid JSON number.
    init(_ text: some Sequence<UInt8>) {
        var afterPoint = false
        var written: [UInt8]?
        var exponentIsNegative = false
        for byte in text {
            switch byte {
            case 0x2D where written != nil: exponentIsNegative = true
            case 0x2D: isNegative = true
            case 0x2B: break
            case 0x2E: afterPoint = true
            case 0x65, 0x45: written = []
            default:
                if written != nil {
                    written?.append(byte - 0x30)
                } else {
                    digits.append(byte - 0x30)
                    if afterPoint {
                        exponent -= 1
                    }
                }
            }
        }
        let zerosBefore = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zerosBefore)
        guard !digits.isEmpty else {
            self = DecimalForm()
            return
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        add(written ?? [], isNegative: exponentIsNegative)
    }

    private init() {}

    private mutating func add(_ written: [UInt8], isNegative: Bool) {
        let significant = written.drop { $0 == 0 }
        guard significant.count <= 30 else {
            hugeExponent = (isNegative ? [0x2D] : []) + significant.map { $0 + 0x30 }
            return
        }
        let value = significant.reduce(Int128(0)) { $0 * 10 + Int128($1) }
        exponent += isNegative ? -value : value
    }

    /// The exact integer, if this is one of 64 bits.
    var int64: Int64? {
        if digits.isEmpty {
            return 0
        }
        guard hugeExponent.isEmpty, exponent >= 0, Int128(digits.count) + exponent <= 19 else {
            return nil
        }
        var magnitude: Int128 = 0
        for digit in digits {
            magnitude = magnitude * 10 + Int128(digit)
        }
        for _ in 0..<Int(exponent) {
            magnitude *= 10
        }
        return Int64(exactly: isNegative ? -magnitude : magnitude)
    }
}
