extension ByteStream {
    /// Extensions of chunks are passed over up to this length.
    private static let longestChunkLine = 1 << 10
    private static let longestTrailer = 8 << 10

    /// Reads the first line of a chunk and returns the chunk's length; 0 for the last one, whose trailer is read too.
    func chunkLength() throws(StreamFailure) -> Int {
        let line = try line(limit: Self.longestChunkLine)
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
        let rest = line.dropFirst(digits.count).drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.isEmpty || rest.first == UInt8(ascii: ";") else {
            throw .malformed
        }
        // 15 digits fit into an Int with room for additions.
        guard !digits.isEmpty, digits.count <= 15 else {
            throw .malformed
        }
        var length = 0
        for digit in digits {
            guard let value = Self.hexadecimal(digit) else {
                throw .malformed
            }
            length = length << 4 | value
        }
        if length == 0 {
            _ = try HTTPHead.fields(self, limit: Self.longestTrailer)
        }
        return length
    }

    /// Appends the bytes of a chunk and reads the line end after it.
    func appendChunk(_ length: Int, to bytes: inout [UInt8]) throws(StreamFailure) {
        try append(length, to: &bytes)
        guard try line(limit: 0).isEmpty else {
            throw .malformed
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(digit - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(digit - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
