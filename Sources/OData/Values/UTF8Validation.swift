/// Checks that bytes are valid UTF-8.
enum UTF8Validation {
    /// The offset of the first invalid byte; nil if all bytes are valid. ASCII bytes are skipped without decoding.
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
