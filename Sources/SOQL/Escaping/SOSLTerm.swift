public import Soups

/// Escapes what a search looks for, so that it is taken literally between the braces of `find`.
public enum SOSLTerm {
    /// Puts a backslash in front of each of `\ + ^ ~ ' - [ ] { } ( ) & : !`.
    ///
    /// Throws `limitExceeded` if the term would be longer than 1 MiB.
    public static func escaped(_ term: String) throws(Fault) -> String {
        var escaped: [UInt8] = []
        for byte in term.utf8 {
            if isReserved(byte) {
                escaped.append(UInt8(ascii: "\\"))
            }
            escaped.append(byte)
        }
        try SOQLText.check(length: escaped.count)
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func isReserved(_ byte: UInt8) -> Bool { "\\+^~'-[]{}()&:!".utf8.contains(byte) }
}
