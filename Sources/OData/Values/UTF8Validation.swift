/// Checks that bytes are UTF-8.
enum UTF8Validation {
    /// The offset of the first byte that is not part of a valid character, or nil. ASCII is passed over a byte at a
    /// time without decoding.
    static func firstInvalid(in bytes: [UInt8]) -> Int? {
        guard let start = bytes.firstIndex(where: { $0 >= 0x80 }) else { return nil }
        var decoder = UTF8()
        var iterator = bytes[start...].makeIterator()
        var offset = start
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
