public import Soups

/// Checks names that come from a definition, so that none of them can bring a clause of its own into a query.
public enum SOQLName {
    /// Says whether the text can be the name of a field, an object type or a relationship: an ASCII letter or `_`,
    /// followed by letters, digits, `_` and dots.
    public static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
        }
    }

    /// Returns the name.
    ///
    /// Throws `invalidSync` if it is not valid; the message does not contain it.
    public static func checked(_ name: String) throws(Fault) -> String {
        guard isValid(name) else {
            throw Fault(
                .invalidSync,
                "not a valid name of a field, an object type or a relationship: use letters, digits, _ and dots")
        }
        return name
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}
