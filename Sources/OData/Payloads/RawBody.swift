import Soups
import StepCounting

/// Reads bodies that are neither XML nor JSON: text, counts, and bytes.
///
/// Source: OData Protocol 4.01, 11.2.4.1 and 11.2.10; MS-ODATA 2.2.6.4.
enum RawBody {
    /// The content of a body of a media type. Text of digits alone is a count; a mark of the encoding and blanks around
    /// them are allowed. Text whose bytes do not fit its encoding is bytes.
    static func payload(_ bytes: [UInt8], _ type: ContentType?, isDecodedText: Bool) -> ODataPayload {
        guard isText(type), let text = text(bytes, charset: isDecodedText ? "utf-8" : type?["charset"]) else {
            return .value(.bytes(bytes))
        }
        if let count = count(text) {
            return .count(count, text: text)
        }
        return .value(.text(text))
    }

    /// Whether a media type is text. Without one the caller has seen that it is.
    private static func isText(_ type: ContentType?) -> Bool {
        type.map { $0.mediaType.utf8.starts(with: "text/".utf8) } ?? true
    }

    private static func count(_ text: String) -> Int64? {
        var bytes = text.utf8.drop { $0 <= 0x20 }
        while let last = bytes.last, last <= 0x20 {
            StepCounter.add()
            bytes = bytes.dropLast()
        }
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return Int64(String(Substring(bytes)))
    }

    /// The text without the mark of its encoding; nil for bytes that do not fit it and for an unknown encoding.
    private static func text(_ bytes: [UInt8], charset: String?) -> String? {
        StepCounter.add(bytes.count)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return String(validating: bytes.dropFirst(3), as: UTF8.self)
        }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            return utf16(bytes.dropFirst(2), isBigEndian: bytes[0] == 0xFE)
        }
        switch charset?.lowercased() {
        case nil, "utf-8", "utf8", "us-ascii", "ascii": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1", "latin1":
            // Its codes are the first 256 of Unicode: one byte of UTF-8, or two from 0x80 on.
            var encoded: [UInt8] = []
            encoded.reserveCapacity(bytes.count)
            for byte in bytes {
                if byte < 0x80 {
                    encoded.append(byte)
                } else {
                    encoded.append(0xC0 | byte >> 6)
                    encoded.append(0x80 | byte & 0x3F)
                }
            }
            return String(decoding: encoded, as: UTF8.self)
        case "utf-16", "utf-16be": return utf16(bytes[...], isBigEndian: true)
        case "utf-16le": return utf16(bytes[...], isBigEndian: false)
        default: return nil
        }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return String(validating: units, as: UTF16.self)
    }
}
