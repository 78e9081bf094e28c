/// The kind of the current token. Read its details from the tokenizer before the next call.
public enum XMLToken: UInt8, Sendable, Hashable {
    /// A start tag, or an empty-element tag (then an `endElement` follows): `name` and the attributes.
    case startElement
    /// An end tag: `name`.
    case endElement
    /// A piece of character data: `text`. Text may be split into several pieces, for example at references, CDATA
    /// sections and line breaks.
    case text
    /// A comment: `text` without its delimiters.
    case comment
    /// A processing instruction: `text` is its target and data.
    case processingInstruction
    /// The tokenizer needs more bytes: call `append`, or `finish` if there are no more.
    case needsInput
    /// The root element is closed and nothing follows it.
    case endOfDocument
}
