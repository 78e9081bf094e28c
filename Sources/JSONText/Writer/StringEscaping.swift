/// Writes text as JSON strings, with quotes, backslashes and control characters escaped.
public enum StringEscaping {
    /// Appends UTF-8 text with quotes around it. O(n) in the number of its bytes.
    public static func append(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        output.append(0x22)
        if let base = text.bindMemory(to: UInt8.self).baseAddress {
            var start = 0
            var index = nextEscape(base, from: 0, text.count)
            while index < text.count {
                output.append(contentsOf: UnsafeBufferPointer(start: base + start, count: index - start))
                appendEscape(of: base[index], to: &output)
                start = index + 1
                index = nextEscape(base, from: start, text.count)
            }
            output.append(contentsOf: UnsafeBufferPointer(start: base + start, count: text.count - start))
        }
        output.append(0x22)
    }

    /// The position of the next byte that must be escaped, at or after a position; the number of bytes at the end.
    private static func nextEscape(_ text: UnsafePointer<UInt8>, from start: Int, _ count: Int) -> Int {
        // Both operands must be vectors: a comparison with a scalar is compiled to a loop over the lanes.
        let quote = SIMD16<UInt8>(repeating: 0x22)
        let backslash = SIMD16<UInt8>(repeating: 0x5C)
        let highBits = SIMD16<UInt8>(repeating: 0xE0)
        var index = start
        while index + 16 <= count {
            let block = UnsafeRawPointer(text).loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            // The three high bits of a control character are zero.
            let escapes = (block .== quote) .| (block .== backslash) .| ((block & highBits) .== SIMD16<UInt8>.zero)
            let halves = unsafeBitCast(escapes, to: SIMD2<UInt64>.self)
            guard halves[0] | halves[1] == 0 else { break }
            index += 16
            if index + 16 > count, index < count {
                // The last block begins inside the one before, so that no byte of the rest is looked at by itself.
                index = count - 16
            }
        }
        while index < count, text[index] >= 0x20, text[index] != 0x22, text[index] != 0x5C {
            index += 1
        }
        return index
    }

    /// Appends the text with quotes around it.
    public static func append(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &output) }
    }

    /// Appends a checked string, given by the text between its quotes, with only the escapes that JSON requires.
    static func appendRespelled(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int, into output: inout [UInt8])
    {
        output.append(0x22)
        var position = start
        while position < end {
            StringDecoding.step(text, &position) { byte in
                if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                    appendEscape(of: byte, to: &output)
                } else {
                    output.append(byte)
                }
            }
        }
        output.append(0x22)
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(0x5C)
        switch byte {
        case 0x22, 0x5C: output.append(byte)
        case 0x08: output.append(0x62)
        case 0x09: output.append(0x74)
        case 0x0A: output.append(0x6E)
        case 0x0C: output.append(0x66)
        case 0x0D: output.append(0x72)
        default:
            output.append(contentsOf: [0x75, 0x30, 0x30, 0x30 + byte >> 4])
            output.append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
        }
    }
}
