/// An error in a JSON text.
///
/// The message is for people and may change. Programs should use the code and the offset. Source: RFC 8259.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. Later versions may add more codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text does not match the grammar.
        public static let syntax = Code(rawValue: "syntax")
        /// The text ends inside a value.
        public static let truncated = Code(rawValue: "truncated")
        /// Invalid UTF-8, or a lone surrogate in an escape.
        public static let invalidText = Code(rawValue: "invalidText")
        /// The text is deeper, longer or larger than the options allow.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// A duplicate member name in an object, if the options refuse that.
        public static let duplicateName = Code(rawValue: "duplicateName")
        /// The system could not read the source of a stream.
        public static let inputOutput = Code(rawValue: "inputOutput")
    }

    /// The kind of error.
    public let code: Code
    /// The byte offset in the given text at which the error was detected.
    public let offset: Int
    /// What is wrong, for people.
    public let message: String

    /// Creates an error at a byte offset of a text.
    public init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    public var description: String { "\(message) (at byte \(offset))" }
}
