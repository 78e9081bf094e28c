import JSONText

/// A difference between a result and its expectation, described for people.
public struct Difference: Sendable, Hashable, CustomStringConvertible {
    /// The path of the value in the result, such as `returns.currentPageOrderedEntries[0].name`.
    public let path: String
    public let expected: String
    public let found: String

    public var description: String { "\(path): expected \(expected), found \(found)" }

    /// The maximum length of a value in a report. Longer values are truncated.
    static let longestText = 200

    /// The text of a value for people, truncated to `longestText` bytes.
    static func text(of value: JSONValue) -> String {
        let bytes = value.bytes(.compact)
        guard bytes.count > longestText else {
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: bytes.prefix(longestText), as: UTF8.self) + "... (\(bytes.count) bytes)"
    }
}
