/// Names what is wrong with an XML document, and where.
///
/// Source: Extensible Markup Language 1.0 (fifth edition), Namespaces in XML 1.0 (third edition). The message is for
/// people and may change; the code and the offset are for programs. No text of the document is part of it.
public struct XMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of mistake it is. An open set: later versions may add to it.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The document does not fit the grammar.
        public static let syntax = Code(rawValue: "syntax")
        /// The document ends before its root element does.
        public static let truncated = Code(rawValue: "truncated")
        /// Bytes that do not fit the encoding, or characters that XML cannot carry.
        public static let invalidText = Code(rawValue: "invalidText")
        /// An encoding that is not read, or one that the bytes contradict.
        public static let encoding = Code(rawValue: "encoding")
        /// A prefix without a declaration, a reserved one declared, a colon too many.
        public static let namespace = Code(rawValue: "namespace")
        /// A document type declaration, whatever it holds.
        public static let doctypeForbidden = Code(rawValue: "doctypeForbidden")
        /// Deeper, longer or larger than the limits allow.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
    }

    public let code: Code
    /// Where it was noticed: a byte offset into the document as it was given (before any change of encoding), from 0.
    public let offset: Int
    public let message: String

    public init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    public var description: String { "\(message) (at byte \(offset))" }
}
