import StepCounting

/// Reads an XML document piece by piece: append bytes as they arrive, read tokens, and call `finish` at the end.
///
/// The tokenizer does not validate and does not support document types. It reads elements, attributes and namespaces,
/// character data, the five predefined entities, character references, CDATA sections, comments, processing
/// instructions and the XML declaration. A DOCTYPE is an error at its first byte, so no other document is opened and no
/// entity expands. It checks that the document is well-formed: names, matching tags, unique attributes, characters,
/// encodings and a single root.
///
///     var tokenizer = XMLTokenizer()
///     tokenizer.append(bytes)
///     tokenizer.finish()
///     while try tokenizer.next() != .endOfDocument { ... }
///
/// Text and attribute values are slices of the window if they need no rewriting, and are valid until the next call of
/// `next` or `append`. The tokenizer needs memory for the largest token and for each different name. Time is O(n) in
/// the number of bytes. Not for use by two threads at once. Nothing is written to disk.
///
/// Source: XML 1.0 (fifth edition), Namespaces in XML 1.0.
public struct XMLTokenizer: ~Copyable {
    var window: InputWindow
    var names = NameTable()
    let limits: XMLLimits

    /// An open element: the name as written, the expanded name, and the namespace state inside it.
    struct Open: BitwiseCopyable {
        var written: Int32
        var name: XMLName
        var state: Int32
    }
    var stack = PlainBuffer<Open>(capacity: 32)
    var rootIsClosed = false
    var hasStarted = false
    /// Whether the tag was `<a/>`, so that the next token is its end.
    var endFollows = false
    var isInCDATA = false

    /// An attribute of the last start tag.
    @usableFromInline struct Attribute: BitwiseCopyable {
        var written: Int32
        @usableFromInline var name: XMLName
        var start: Int
        @usableFromInline var count: Int
        /// Whether the value was rewritten. `start` is then an index in `rewritten` instead of the window.
        var isRewritten: Bool
        /// The index of the attribute's name in the window.
        var position: Int
        /// The address of the value, once the whole tag was read.
        @usableFromInline var value: UnsafePointer<UInt8>
    }
    var attributes = PlainBuffer<Attribute>(capacity: 16)
    var declarations = PlainBuffer<Attribute>(capacity: 16)
    var rewritten = PlainBuffer<UInt8>(capacity: 256)
    /// The attributes as seen by other modules, so that access to them can be inlined.
    @usableFromInline var firstAttribute: UnsafePointer<Attribute>
    var lastElement: Int32 = -1

    @usableFromInline var textStart: UnsafePointer<UInt8>
    @usableFromInline var textCount = 0
    /// The number of bytes of text since the last tag.
    var textTotal = 0

    /// The number of bytes in the window before which the unfinished token is not read again.
    var retryAt = 0
    var failure: XMLError?

    /// Whether text between two tags that consists only of a line break and spaces is skipped. All other text is
    /// returned. Set it where text between elements is not needed.
    public var passesIndentation = false

    /// The expanded name of the element that starts or ends.
    public internal(set) var name = XMLName(index: -1)
    /// The byte offset of the last token in the given document.
    public var offset: Int { window.offset(of: tokenStart) }
    var tokenStart = 0

    /// - Parameter encoding: The encoding from another source, such as the charset of a Content-Type. A byte order mark
    ///   takes precedence over it; the XML declaration does not.
    public init(limits: XMLLimits = XMLLimits(), encoding: XMLEncoding? = nil) {
        self.limits = limits
        window = InputWindow(encoding: encoding, totalBytes: limits.totalBytes)
        textStart = UnsafePointer(window.scratch)
        firstAttribute = UnsafePointer(attributes.base)
    }

    /// Appends bytes of the document. Slices that were returned before become invalid. O(n) in the number of bytes.
    public mutating func append(_ chunk: UnsafeRawBufferPointer) {
        window.append(chunk)
        tokenStart = window.position
    }

    public mutating func append(_ chunk: [UInt8]) {
        chunk.withUnsafeBytes { append($0) }
    }

    /// Marks the end of the document. An unfinished document is then `truncated`.
    public mutating func finish() {
        window.finish()
        retryAt = 0
    }

    /// Reads the next token. After an error, every call throws the same error.
    ///
    /// - Throws: `XMLError` with any of its codes.
    public mutating func next() throws(XMLError) -> XMLToken {
        if let failure {
            throw failure
        }
        do throws(XMLError) {
            return try advance()
        } catch {
            failure = error
            throw error
        }
    }

    /// The text of a `text`, `comment` or `processingInstruction` token: UTF-8, checked, valid until the next call of
    /// `next` or `append`.
    @inlinable public var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: textStart, count: textCount) }

    /// The number of attributes of the last start tag, without namespace declarations.
    public internal(set) var attributeCount = 0

    @inlinable public func attributeName(_ index: Int) -> XMLName { firstAttribute[index].name }

    /// The normalized value of an attribute as UTF-8, valid until the next call of `next` or `append`.
    @inlinable public func attributeValue(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: firstAttribute[index].value, count: firstAttribute[index].count)
    }

    /// The value of an attribute as a string.
    public func attributeText(_ index: Int) -> String {
        String(decoding: attributeValue(index), as: UTF8.self)
    }

    /// The index of the attribute with a name; `nil` if the element has no such attribute. O(n) in the number of
    /// attributes.
    public func attribute(_ name: XMLName) -> Int? {
        StepCounter.add(attributes.count)
        for index in 0..<attributes.count where attributes.base[index].name == name {
            return index
        }
        return nil
    }

    /// The number of open elements. From `startElement` to `endElement` the element itself counts.
    public var depth: Int { stack.count + (closing ? 1 : 0) }
    var closing = false

    /// The name with a namespace and a local part. Comparing names compares one integer instead of two texts.
    public mutating func intern(_ local: String, in namespace: String) -> XMLName {
        XMLName(index: names.expandedName(local, in: namespace))
    }

    public func localName(of name: XMLName) -> String { names.texts.text(of: names.parts(of: name).local) }

    /// The namespace of a name; empty if it has none.
    public func namespace(of name: XMLName) -> String { names.texts.text(of: names.parts(of: name).namespace) }

    /// The name with an index from this tokenizer.
    public func name(at index: Int32) -> XMLName { XMLName(index: index) }
}

extension XMLTokenizer {
    /// Continues at the window's position. Every branch consumes at least one byte, or ends in `needsInput` or an
    /// error.
    private mutating func advance() throws(XMLError) -> XMLToken {
        closing = false
        let start = window.position
        defer { StepCounter.add(1 + window.position - start) }
        if endFollows {
            endFollows = false
            return close()
        }
        if window.end < retryAt {
            return .needsInput
        }
        if !hasStarted {
            guard try readDeclaration() else {
                return try unfinished()
            }
        }
        while true {
            if passesIndentation, textTotal == 0, !stack.isEmpty, !isInCDATA {
                passIndentation()
            }
            tokenStart = window.position
            if isInCDATA || (!stack.isEmpty && window.bytes[window.position] != UInt8(ascii: "<")) {
                if let token = try readText() {
                    return token
                }
                if tokenStart == window.position {
                    return try unfinished()
                }
                continue
            }
            if stack.isEmpty {
                try skipSpaceOutside()
                tokenStart = window.position
            }
            guard window.position < window.end else {
                return try unfinished()
            }
            guard let token = try readMarkup() else {
                return try unfinished()
            }
            // `needsInput` here means the start of a CDATA section, which is not a token.
            if token != .needsInput {
                return token
            }
        }
    }

    /// Handles an incomplete token: asks for more bytes, or throws `truncated` at the end of the document.
    ///
    /// A large token is not read again for each small piece, but only when the window has grown by a quarter of it, so
    /// that the total work stays linear.
    private mutating func unfinished() throws(XMLError) -> XMLToken {
        if let failure = window.failure {
            throw failure
        }
        guard window.isFinished else {
            let waiting = window.end - window.position
            StepCounter.add(waiting)
            retryAt = waiting < 1_024 ? 0 : waiting + waiting / 4
            return .needsInput
        }
        if rootIsClosed, window.position == window.end, !window.endsInsideCharacter {
            return .endOfDocument
        }
        throw XMLError(.truncated, at: window.offset(of: window.end), "unexpected end of the document")
    }

    mutating func close() -> XMLToken {
        closing = true
        guard !stack.isEmpty else {
            return .endOfDocument
        }
        name = stack.removeLast().name
        textTotal = 0
        if stack.isEmpty {
            rootIsClosed = true
        }
        return .endElement
    }

    /// Skips white space outside the root element. Anything else but markup is an error.
    private mutating func skipSpaceOutside() throws(XMLError) {
        var position = window.position
        while CharacterClasses.table[Int(window.bytes[position])] & CharacterClasses.space != 0 {
            position += 1
        }
        window.position = position
        if position < window.end, window.bytes[position] != UInt8(ascii: "<") {
            throw error(.syntax, at: position, "text outside the root element")
        }
    }

    func error(_ code: XMLError.Code, at position: Int, _ message: String) -> XMLError {
        XMLError(code, at: window.offset(of: position), message)
    }
}
