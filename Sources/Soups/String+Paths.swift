// Paths are divided by bytes. To Swift a dot or slash and a combining mark after it are one character, so that a
// division by characters would not find the beginning of such a name.
extension String {
    /// The member names of a dotted path, also empty ones. O(n).
    package var dottedNames: [String] {
        utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The segments of a path of OData: what is between its slashes, without empty ones. O(n).
    package var segments: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// Whether the text ends with the UTF-8 bytes of another one. `hasSuffix` compares by canonical equivalence.
    package func endsWithBytes(of suffix: String) -> Bool { utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }
}
