/// The character classes of XML 1.0, productions 2 to 5.
enum CharacterClasses {
    static let nameStart: UInt8 = 1
    static let name: UInt8 = 2
    static let space: UInt8 = 4

    /// The classes of ASCII bytes. A colon counts as a name character here; qualified names are checked separately.
    /// Bytes from 0x80 on count as possible name characters and are checked individually.
    static let table: [UInt8] = (0..<256).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"):
            nameStart | name
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): name
        case 0x20, 0x09, 0x0A, 0x0D: space
        case 0x80...0xFF: nameStart | name
        default: 0
        }
    }

    static func isNameStart(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x61...0x7A, 0x41...0x5A, 0x5F, 0x3A: true
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
            0x2C00...0x2FEF,
            0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    static func isName(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x30...0x39, 0x2D, 0x2E, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: isNameStart(scalar)
        }
    }

    /// Whether the character is allowed in XML.
    static func isCharacter(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
