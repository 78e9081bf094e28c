import StepCounting

/// Converts one-byte encodings and UTF-16 to UTF-8, chunk by chunk, and maps lengths of the result back to lengths of
/// the document.
///
/// Input that is invalid in the encoding is converted to invalid UTF-8 (a lone surrogate to its three bytes, an
/// unassigned byte to 0xFF). The tokenizer reports it with the right offset when it reaches it.
struct Transcoder {
    let encoding: XMLEncoding
    /// The first byte of an incomplete UTF-16 unit.
    private var pendingByte: UInt8?
    private var highSurrogate: UInt32?

    init(_ encoding: XMLEncoding) { self.encoding = encoding }

    /// Whether the input so far ends inside a character.
    var isPending: Bool { pendingByte != nil || highSurrogate != nil }

    /// The characters of 0x80 to 0x9F in windows-1252; 0 for unassigned bytes.
    private static let windows1252: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    mutating func append(_ chunk: UnsafeRawBufferPointer, to result: inout [UInt8]) {
        switch encoding {
        case .utf8:
            result.append(contentsOf: chunk)
        case .ascii:
            for byte in chunk {
                result.append(byte < 0x80 ? byte : 0xFF)
            }
        case .latin1:
            for byte in chunk {
                UTF8Sequence.append(UInt32(byte), to: &result)
            }
        case .windows1252:
            for byte in chunk {
                guard (0x80...0x9F).contains(byte) else {
                    UTF8Sequence.append(UInt32(byte), to: &result)
                    continue
                }
                let scalar = Self.windows1252[Int(byte - 0x80)]
                if scalar == 0 {
                    result.append(0xFF)
                } else {
                    UTF8Sequence.append(scalar, to: &result)
                }
            }
        case .utf16BigEndian, .utf16LittleEndian:
            for byte in chunk {
                guard let first = pendingByte else {
                    pendingByte = byte
                    continue
                }
                pendingByte = nil
                let unit =
                    encoding == .utf16BigEndian ? UInt32(first) << 8 | UInt32(byte) : UInt32(byte) << 8 | UInt32(first)
                append(unit: unit, to: &result)
            }
        }
    }

    private mutating func append(unit: UInt32, to result: inout [UInt8]) {
        if let high = highSurrogate {
            highSurrogate = nil
            if (0xDC00...0xDFFF).contains(unit) {
                UTF8Sequence.append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &result)
                return
            }
            UTF8Sequence.append(high, to: &result)
        }
        if (0xD800...0xDBFF).contains(unit) {
            highSurrogate = unit
        } else {
            UTF8Sequence.append(unit, to: &result)
        }
    }

    /// The number of bytes of the document that these bytes of the result were converted from. They must start at a
    /// character.
    func sourceBytes(of result: UnsafeBufferPointer<UInt8>) -> Int {
        guard encoding != .utf8 else {
            return result.count
        }
        StepCounter.add(result.count)
        var characters = 0
        var pairs = 0
        for byte in result where byte & 0xC0 != 0x80 {
            characters += 1
            if (0xF0...0xF4).contains(byte) {
                pairs += 1
            }
        }
        return encoding.isUTF16 ? 2 * (characters + pairs) : characters
    }
}
