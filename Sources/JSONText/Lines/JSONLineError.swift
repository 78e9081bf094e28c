/// Says what is wrong with a line of a JSON Lines text, and where the line is.
public struct JSONLineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int
    /// Where the line starts in the source, in bytes from 0.
    public let lineOffset: Int
    /// What is wrong; its offset counts from the start of the line.
    public let error: JSONError

    /// Where the mistake is in the source, in bytes from 0.
    public var offset: Int { lineOffset + error.offset }

    public var description: String { "line \(line): \(error.message) (at byte \(offset))" }
}
