import Soups
import StepCounting

/// A percent-decoded text that can convert offsets in it to offsets in the original text.
///
/// `+` is not decoded unless form encoding is requested (RFC 3986, section 2.1; OData URL Conventions 4.01, section 2).
/// Throws `syntax` for malformed escapes and invalid UTF-8.
struct PercentDecoded: Sendable {
    let bytes: [UInt8]
    /// The offsets of percent-encoded semicolons. In a search they are part of a word and do not end it.
    private(set) var escapedSemicolons: Set<Int> = []
    private let source: ArraySlice<UInt8>

    init(_ source: ArraySlice<UInt8>, plusAsSpace: Bool) throws(Fault) {
        self.source = source
        StepCounter.add(source.count)
        guard source.contains(where: { $0 == UInt8(ascii: "%") || (plusAsSpace && $0 == UInt8(ascii: "+")) }) else {
            // Parts of a text, which are cut at ASCII characters.
            bytes = Array(source)
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = source.startIndex
        while index < source.endIndex {
            let byte = source[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < source.endIndex, let high = EdmGuid.value(ofHexDigit: source[index + 1]),
                    let low = EdmGuid.value(ofHexDigit: source[index + 2])
                else {
                    throw Fault(.syntax, "expected two hexadecimal digits after '%'", offset: index)
                }
                if high << 4 | low == UInt8(ascii: ";") {
                    escapedSemicolons.insert(bytes.count)
                }
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(plusAsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                index += 1
            }
        }
        self.bytes = bytes
        try checkText()
    }

    private func checkText() throws(Fault) {
        if let offset = UTF8Validation.firstInvalid(in: bytes) {
            throw Fault(.syntax, "the percent-decoded bytes are not valid UTF-8", offset: sourceOffset(of: offset))
        }
    }

    /// The offset in the original text for an offset in the decoded bytes.
    func sourceOffset(of offset: Int) -> Int {
        StepCounter.add(offset)
        var index = source.startIndex
        for _ in 0..<offset where index < source.endIndex {
            index += source[index] == UInt8(ascii: "%") ? 3 : 1
        }
        return min(index, source.endIndex)
    }

    /// The fault with its offset in the original text.
    func located(_ fault: Fault) -> Fault {
        guard let offset = fault.offset else {
            return fault
        }
        return Fault(fault.code, fault.message, offset: sourceOffset(of: offset), context: fault.context)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
