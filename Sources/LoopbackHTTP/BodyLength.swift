/// How the end of a body is found.
enum BodyLength: Equatable {
    case bytes(Int)
    case chunked

    enum Failure: Error {
        /// Lengths that contradict each other, or are not numbers.
        case malformed
        /// A transfer coding other than chunked.
        case unknownCoding
    }

    /// nil if the headers say nothing about a body. Both a length and a coding are malformed: a proxy and a server
    /// could take different ends for the right one.
    static func announced(in head: HTTPHead) throws(Failure) -> BodyLength? {
        let codings = head.words("transfer-encoding")
        let lengths = head.values("content-length")
        // Also a coding that is empty: others may take another end for the right one.
        if !head.values("transfer-encoding").isEmpty {
            guard lengths.isEmpty else {
                throw .malformed
            }
            guard codings == ["chunked"] else {
                throw .unknownCoding
            }
            return .chunked
        }
        guard let first = lengths.first else { return nil }
        guard lengths.allSatisfy({ $0 == first }), let length = number(first.utf8) else {
            throw .malformed
        }
        return .bytes(length)
    }

    /// Digits only: `Int` would also take a sign.
    private static func number(_ digits: String.UTF8View) -> Int? {
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
