/// An error in an XML document.
///
/// Source: Extensible Markup Language 1.0 (fifth edition), Namespaces in XML 1.0 (third edition). The message is for
/// people and may change. Programs should use the code and the offset. An error never contains text of the document.
public struct XMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. Later versions may add more codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The document does not match the grammar.
        public static let syntax = Code(rawValue: "syntax")
        /// The document ends before its root element does.
        public static let truncated = Code(rawValue: "truncated")
        /// Bytes that are invalid in the encoding, or characters that are not allowed in XML.
        public static let invalidText = Code(rawValue: "invalidText")
        /// An unsupported encoding, or one that does not match the bytes.
        public static let encoding = Code(rawValue: "encoding")
        /// An undeclared prefix, a declaration of a reserved one, or a misplaced colon.
        public static let namespace = Code(rawValue: "namespace")
        /// A document type declaration, whatever its content.
        public static let doctypeForbidden = Code(rawValue: "doctypeForbidden")
        /// The document is deeper, longer or larger than the limits allow.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
    }

    public let code: Code
    /// The byte offset in the given document, before any conversion of the encoding, at which the error was detected.
    public let offset: Int
    public let message: String

    public init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    public var description: String { "\(message) (at byte \(offset))" }
}
