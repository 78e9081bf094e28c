/// Says what the tokenizer stands on; the details are read from the tokenizer itself until the next call.
public enum XMLToken: UInt8, Sendable, Hashable {
    /// A start tag, or an empty-element tag (then an `endElement` follows): `name` and the attributes.
    case startElement
    /// An end tag: `name`.
    case endElement
    /// A piece of character data: `text`. One run of text may come in several pieces (at references, CDATA sections,
    /// line breaks, window edges).
    case text
    /// A comment: `text` without its marks.
    case comment
    /// A processing instruction: `text` is its target and data.
    case processingInstruction
    /// All bytes that have arrived are read: append more, or say that there are none.
    case needsInput
    /// The root element is closed and nothing follows it.
    case endOfDocument
}
