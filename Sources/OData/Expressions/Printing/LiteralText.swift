import StepCounting

/// Writes values as literals of URLs.
public enum LiteralText {
    /// Returns the literal of a value in a version; nil for complex values and collections.
    public static func text(of value: ODataValue, version: ODataVersion) -> String? {
        guard let text = value.canonicalText else {
            return value.isNull ? "null" : nil
        }
        switch value {
        case .string(let text): return quoted(text)
        case .enumeration(let type, let members): return (type ?? "") + quoted(members)
        case .spatial(let type, let text):
            return (type.rawValue.utf8.starts(with: "Edm.Geography".utf8) ? "geography" : "geometry") + quoted(text)
        case .binary(let bytes):
            return version.isV4
                ? "binary'" + Base64.encode(bytes, forURL: true) + "'" : "X'" + Base64.encodeHex(bytes) + "'"
        case .duration: return "duration'\(text)'"
        case .time: return "time'\(text)'"
        case .dateTime: return "datetime'\(text)'"
        case .dateTimeOffset where !version.isV4: return "datetimeoffset'\(text)'"
        case .guid where !version.isV4: return "guid'\(text)'"
        case .int64 where !version.isV4: return text + "L"
        case .decimal where !version.isV4: return text + "M"
        case .single where !version.isV4: return special(text) ?? text + "f"
        case .double where !version.isV4: return special(text) ?? text + "d"
        case .double where !text.utf8.contains { $0 | 0x20 >= UInt8(ascii: "a") }: return text + "e0"
        default: return text
        }
    }

    /// The literal in canonical form. A double keeps the digits that were written.
    static func canonical(of value: ODataValue, _ type: LiteralType, written: String, version: ODataVersion) -> String {
        if type == .jsonString {
            return written
        }
        guard type == .double || type == .single, special(written) == nil else {
            return text(of: value, version: version) ?? "null"
        }
        var bytes: [UInt8] = []
        for byte in written.utf8 where byte != UInt8(ascii: "+") {
            // Digits, the point and the minus have this bit already.
            bytes.append(byte | 0x20)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the string in single quotes, with quotes inside it doubled.
    public static func quoted(_ text: String) -> String {
        StepCounter.add(text.utf8.count)
        var bytes: [UInt8] = [UInt8(ascii: "'")]
        for byte in text.utf8 {
            bytes.append(byte)
            if byte == UInt8(ascii: "'") {
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "'"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func special(_ text: String) -> String? {
        ["INF", "-INF", "NaN"].contains { $0.hasBytes(of: text) } ? text : nil
    }
}
