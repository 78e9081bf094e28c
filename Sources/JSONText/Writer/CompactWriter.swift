/// Writes checked JSON text without white space and with strings in their shortest form. Numbers do not change.
enum CompactWriter {
    /// Appends the value in a range of a checked text.
    static func append(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int, into output: inout [UInt8]) {
        var index = start
        var copied = start
        while index < end {
            switch text[index] {
            case 0x22:
                index = appendString(text, from: index, copied: &copied, into: &output)
            case 0x20, 0x09, 0x0A, 0x0D:
                output.append(contentsOf: UnsafeBufferPointer(start: text + copied, count: index - copied))
                index += 1
                copied = index
            default:
                index += 1
            }
        }
        output.append(contentsOf: UnsafeBufferPointer(start: text + copied, count: end - copied))
    }

    /// Copies a string; rewrites a string with escapes in its shortest form.
    private static func appendString(
        _ text: UnsafePointer<UInt8>, from quote: Int, copied: inout Int, into output: inout [UInt8]
    ) -> Int {
        var index = quote + 1
        var isEscaped = false
        while text[index] != 0x22 {
            if text[index] == 0x5C {
                isEscaped = true
                index += 1
            }
            index += 1
        }
        if isEscaped {
            output.append(contentsOf: UnsafeBufferPointer(start: text + copied, count: quote - copied))
            StringEscaping.appendRespelled(text, from: quote + 1, to: index, into: &output)
            copied = index + 1
        }
        return index + 1
    }
}
