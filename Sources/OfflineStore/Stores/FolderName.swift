import Soups

/// Encodes any text as a folder name, and back, so that two texts never give the same name and none leads out of its
/// folder.
///
/// Lower-case ASCII letters, digits, `-` and `_` stay; every other byte of the UTF-8 becomes `%XX`. Upper-case letters
/// do too, because some file systems do not distinguish case. So no name is `.` or `..`, and none depends on a file
/// system's treatment of Unicode. A text whose name would be too long that way is `=` and its bytes in Base32, so that
/// every name of up to 124 bytes fits.
enum FolderName {
    /// SQLite takes paths of 512 bytes: this many of them are for the name of a store.
    static let longest = 200

    static func encode(_ text: String) -> String {
        let name = percentEncoded(text)
        return name.utf8.count <= longest ? name : Base32Name.encode(text)
    }

    private static func percentEncoded(_ text: String) -> String {
        var name = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return name
    }

    /// The text of a name that `encode` made; nil for any other name.
    static func decode(_ name: String) -> String? {
        let base32 = Base32Name.bytes(of: name).map { String(validating: $0, as: UTF8.self) }
        guard let text = base32 ?? name.utf8.percentDecoded(), encode(text).utf8.elementsEqual(name.utf8) else {
            return nil
        }
        return text
    }

    /// A name for a text of any length, which need not be decoded: a long one keeps its beginning, followed by `+`,
    /// which no encoded name contains, and a digest.
    static func shortened(_ text: String) -> String {
        let name = percentEncoded(text)
        return name.utf8.count <= shortest ? name : name.prefix(shortest - 65) + "+" + SHA256.hex(Array(text.utf8))
    }

    /// SQLite takes paths of 512 bytes: this many of them are for a user.
    private static let shortest = 120
}
