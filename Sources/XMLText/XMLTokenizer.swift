/// Reads an XML document piece by piece: append bytes as they arrive, ask for the next token, say when there are no
/// more.
///
/// A tokenizer without validation and without document types: elements, attributes and namespaces, character data, the
/// five entities of XML, character references, CDATA sections, comments, processing instructions and the XML
/// declaration. A DOCTYPE is an error at its first byte, so nothing outside the document is ever opened and nothing
/// expands. Everything a well-formed document must be is checked: names, matching tags, unique attributes, characters,
/// encodings, one root.
///
///     var tokenizer = XMLTokenizer()
///     tokenizer.append(bytes)
///     tokenizer.finish()
///     while try tokenizer.next() != .endOfDocument { ... }
///
/// Text and attribute values are slices of the window where they stand as written, and valid until the next call of
/// `next` or `append`. Memory: the largest token, plus each different name once. Time: O(bytes). Not for use by two
/// threads at once. Nothing reaches disk.
///
/// Source: XML 1.0 (fifth edition), Namespaces in XML 1.0.
public struct XMLTokenizer: ~Copyable {
    var window: InputWindow
    var names = NameTable()
    let limits: XMLLimits

    /// Open elements: the name as written, the expanded name, and the namespace state inside.
    struct Open: BitwiseCopyable {
        var written: Int32
        var name: XMLName
        var state: Int32
    }
    var stack = PlainBuffer<Open>(capacity: 32)
    var rootIsClosed = false
    var hasStarted = false
    /// The tag was `<a/>`: its end is the next token.
    var endFollows = false
    var isInCDATA = false

    /// The attributes of the start tag that was read last.
    @usableFromInline struct Attribute: BitwiseCopyable {
        var written: Int32
        @usableFromInline var name: XMLName
        var start: Int
        @usableFromInline var count: Int
        /// The value was rewritten: `start` counts in `rewritten`, not in the window.
        var isRewritten: Bool
        /// Where the attribute's name stands in the window.
        var place: Int
        /// Where the value is, as soon as the whole tag is read.
        @usableFromInline var value: UnsafePointer<UInt8>
    }
    var attributes = PlainBuffer<Attribute>(capacity: 16)
    var declarations = PlainBuffer<Attribute>(capacity: 16)
    var rewritten = PlainBuffer<UInt8>(capacity: 256)
    /// What readers in other modules see of the attributes: so that looking at them is no call.
    @usableFromInline var firstAttribute: UnsafePointer<Attribute>
    var lastElement: Int32 = -1

    @usableFromInline var textStart: UnsafePointer<UInt8>
    @usableFromInline var textCount = 0
    /// Bytes of text since the last tag.
    var textTotal = 0

    /// Do not try the unfinished token again before the window holds this many bytes.
    var retryAt = 0
    var failure: XMLError?

    /// Whether a line break with the blanks behind it, where nothing else stands between two tags, is passed over
    /// instead of handed out. All other text is handed out as ever. For a reader at a place where it wants no text.
    public var passesIndentation = false

    /// The expanded name of the element that starts or ends.
    public internal(set) var name = XMLName(index: -1)
    /// Where the token that was read last begins: a byte offset into the document as given.
    public var offset: Int { window.offset(of: tokenStart) }
    var tokenStart = 0

    /// - Parameter encoding: what is known from elsewhere, such as the charset of a Content-Type. A byte order mark
    ///   outweighs it, the XML declaration does not.
    public init(limits: XMLLimits = XMLLimits(), encoding: XMLEncoding? = nil) {
        self.limits = limits
        window = InputWindow(encoding: encoding, totalBytes: limits.totalBytes)
        textStart = UnsafePointer(window.scratch)
        firstAttribute = UnsafePointer(attributes.base)
    }

    /// Takes more bytes of the document; slices given out before are no longer valid. O(bytes).
    public mutating func append(_ chunk: UnsafeRawBufferPointer) {
        window.append(chunk)
        tokenStart = window.position
    }

    public mutating func append(_ chunk: [UInt8]) {
        chunk.withUnsafeBytes { append($0) }
    }

    /// Says that no more bytes will come: what is unfinished then is `truncated`.
    public mutating func finish() {
        window.finish()
        retryAt = 0
    }

    /// Reads one token. After an error every call throws the same error again.
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

    /// How many attributes the start tag has that was read last, without namespace declarations.
    public internal(set) var attributeCount = 0

    @inlinable public func attributeName(_ index: Int) -> XMLName { firstAttribute[index].name }

    /// The value of an attribute, normalised, as UTF-8; valid until the next call of `next` or `append`.
    @inlinable public func attributeValue(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: firstAttribute[index].value, count: firstAttribute[index].count)
    }

    /// The value of an attribute as a string.
    public func attributeText(_ index: Int) -> String {
        String(decoding: attributeValue(index), as: UTF8.self)
    }

    /// The index of the attribute of that name, nil if the element has none. O(attributes).
    public func attribute(_ name: XMLName) -> Int? {
        for index in 0..<attributes.count where attributes.base[index].name == name {
            return index
        }
        return nil
    }

    /// Elements open at this moment: within a `startElement` and its `endElement` the element counts.
    public var depth: Int { stack.count + (closing ? 1 : 0) }
    var closing = false

    /// The name for a namespace and a local part, to compare others with: one comparison of integers instead of two of
    /// texts.
    public mutating func intern(_ local: String, in namespace: String) -> XMLName {
        XMLName(index: names.expandedName(local, in: namespace))
    }

    public func localName(of name: XMLName) -> String { names.texts.text(of: names.parts(of: name).local) }

    /// The namespace of a name, empty for none.
    public func namespace(of name: XMLName) -> String { names.texts.text(of: names.parts(of: name).namespace) }

    /// The name with an index that this tokenizer has given out.
    public func name(at index: Int32) -> XMLName { XMLName(index: index) }
}

extension XMLTokenizer {
    /// Goes on from the window's position. Every branch consumes at least a byte, or ends in `needsInput` or an error.
    private mutating func advance() throws(XMLError) -> XMLToken {
        closing = false
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
            // Nothing: the beginning of a CDATA section.
            if token != .needsInput {
                return token
            }
        }
    }

    /// The token at the position is not complete: wait for more bytes, or say that the document ends too early.
    ///
    /// A large token is not read again for each small piece: the next try comes when the window has grown by a quarter
    /// of it. So the work stays linear.
    private mutating func unfinished() throws(XMLError) -> XMLToken {
        if let failure = window.failure {
            throw failure
        }
        guard window.isFinished else {
            let waiting = window.end - window.position
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

    /// White space between the parts of a document outside its root; anything else but markup is an error.
    private mutating func skipSpaceOutside() throws(XMLError) {
        var place = window.position
        while CharacterClasses.table[Int(window.bytes[place])] & CharacterClasses.space != 0 {
            place += 1
        }
        window.position = place
        if place < window.end, window.bytes[place] != UInt8(ascii: "<") {
            throw error(.syntax, at: place, "text outside the root element")
        }
    }

    func error(_ code: XMLError.Code, at place: Int, _ message: String) -> XMLError {
        XMLError(code, at: window.offset(of: place), message)
    }
}
