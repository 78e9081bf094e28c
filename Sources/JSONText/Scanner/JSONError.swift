/// Names what is wrong with a JSON text, and where.
///
/// Source: RFC 8259. The message is for people and may change; the code and the offset are for programs.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of mistake it is. An open set: later versions may add to it.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text does not fit the grammar.
        public static let syntax = Code(rawValue: "syntax")
        /// The text ends inside a value.
        public static let truncated = Code(rawValue: "truncated")
        /// Bytes that are no UTF-8, or an escaped surrogate without its partner.
        public static let invalidText = Code(rawValue: "invalidText")
        /// Deeper, longer or larger than the options allow.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// A member name twice in one object, where that is refused.
        public static let duplicateName = Code(rawValue: "duplicateName")
        /// The system could not read the source of a stream.
        public static let inputOutput = Code(rawValue: "inputOutput")
    }

    public let code: Code
    /// Where it was noticed: a byte offset into the text given, from 0.
    public let offset: Int
    public let message: String

    public init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    public var description: String { "\(message) (at byte \(offset))" }
}
