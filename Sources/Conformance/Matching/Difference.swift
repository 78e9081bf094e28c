import JSONText

/// Says where a result differs from what was expected, in a form that a person reads at a glance.
public struct Difference: Sendable, Hashable, CustomStringConvertible {
    /// The way into the result, such as `returns.currentPageOrderedEntries[0].name`.
    public let path: String
    public let expected: String
    public let found: String

    public var description: String { "\(path): expected \(expected), found \(found)" }

    /// Longer values are cut: the report is read by people.
    static let longestText = 200

    /// Writes a value for people, cut at `longestText` bytes.
    static func text(of value: JSONValue) -> String {
        let bytes = value.bytes(.compact)
        guard bytes.count > longestText else {
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: bytes.prefix(longestText), as: UTF8.self) + "... (\(bytes.count) bytes)"
    }
}
