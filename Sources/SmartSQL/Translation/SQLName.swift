/// A name in a text of SQL, as it is written.
enum SQLName {
    /// The bytes of the name without its quotes, and with one quote for each two inside.
    static func unquoted(_ name: ArraySlice<UInt8>) -> [UInt8] {
        guard let quote = name.first, "'\"`[".utf8.contains(quote) else {
            return Array(name)
        }
        let inner = name.dropFirst().dropLast()
        guard quote != UInt8(ascii: "[") else {
            return Array(inner)
        }
        var bytes: [UInt8] = []
        var isSecond = false
        for byte in inner {
            if !isSecond {
                bytes.append(byte)
            }
            isSecond = byte == quote && !isSecond
        }
        return bytes
    }

    /// Whether two names are the same to SQLite, which ignores the case of ASCII letters.
    static func areSame(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
        unquoted(a).elementsEqual(unquoted(b)) { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
