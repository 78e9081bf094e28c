/// Guesses the version of a payload from its first bytes, for payloads without a version header.
///
/// ```swift
/// let version = PayloadVersion.guess(Array(body.prefix(512)))
/// ```
public enum PayloadVersion {
    /// The number of bytes that a reader waits for before it guesses.
    static let headLength = 4_096

    /// Guesses the version: 2.0 for `d` or `__metadata`, 3.0 for `odata.metadata`, 4.01 for `@context`, 2.0 for
    /// Microsoft's namespace in Atom, otherwise 4.0.
    public static func guess(_ head: [UInt8]) -> ODataVersion {
        // Markup is ASCII in UTF-16 as well.
        let head = head.contains(0) ? head.filter { $0 != 0 } : head
        func has(_ text: String) -> Bool {
            let wanted = Array(text.utf8)
            guard head.count >= wanted.count else { return false }
            return (0...(head.count - wanted.count)).contains {
                head[$0] == wanted[0] && head[$0..<$0 + wanted.count].elementsEqual(wanted)
            }
        }
        let first = head.first { $0 > 0x20 && $0 < 0x80 }
        if first == UInt8(ascii: "<") {
            return has("schemas.microsoft.com/ado") ? .v2 : .v4
        }
        if has("\"@odata.") {
            return .v4
        }
        if has("\"odata.metadata\"") {
            return .v3
        }
        if has("\"__metadata\"") || has("\"__deferred\"") {
            return .v2
        }
        if has("\"@context\"") {
            return .v401
        }
        let compact = head.prefix(64).filter { $0 > 0x20 }
        return compact.starts(with: Array("{\"d\":".utf8)) ? .v2 : .v4
    }
}
