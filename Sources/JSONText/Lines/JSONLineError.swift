/// An error in a line of a JSON Lines text, with the position of the line.
public struct JSONLineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of the line, starting at 1.
    public let line: Int
    /// The byte offset of the line in the source.
    public let lineOffset: Int
    /// The error; its offset counts from the start of the line.
    public let error: JSONError

    /// The byte offset of the error in the source.
    public var offset: Int { lineOffset + error.offset }

    public var description: String { "line \(line): \(error.message) (at byte \(offset))" }
}
