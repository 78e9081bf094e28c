import Soups

/// An error object that a service has written where the rest of a feed should be: after an entry or in the middle of
/// one, as a member of the feed, or after the end of the document. The service had sent status 200 when it failed.
///
/// OData JSON Format leaves such a body malformed. What came before the error is not the whole feed, so that it is the
/// same as a body that was cut off.
enum JSONStreamError {
    /// What is found at a position.
    enum Finding {
        case error, other
        /// The bytes end before it can be decided.
        case undecided
    }

    /// The names that an error has: that of all versions, and that of JSON light in version 3.0.
    static let names = ["error", "odata.error"]

    /// Looks for the beginning of an object whose first member is an error.
    static func find(in bytes: some RandomAccessCollection<UInt8>) -> Finding {
        var rest = bytes.drop(while: isSpace)
        guard let brace = rest.first else { return .undecided }
        guard brace == UInt8(ascii: "{") else { return .other }
        rest = rest.dropFirst().drop(while: isSpace)
        guard let quote = rest.first else { return .undecided }
        guard quote == UInt8(ascii: "\"") else { return .other }
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else {
            return names.contains { $0.utf8.starts(with: rest) } ? .undecided : .other
        }
        return names.contains { $0.utf8.elementsEqual(rest[..<end]) } ? .error : .other
    }

    static func fault(at offset: Int) -> Fault {
        Fault(.truncated, "the service ended the feed with an error; read the feed again", offset: offset)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
