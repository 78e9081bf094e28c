import Soups
import XMLText

/// Reads Atom payloads of all versions piece by piece: feeds, entries, deltas, service documents, errors, single
/// properties, links.
///
/// One loop over the tokens uses a stack of frames, so nothing recurses and entries are returned while bytes arrive. An
/// element is recognised as a property by its namespace and its parent, never by its prefix. Elements of unknown
/// namespaces are skipped with their content. The reader is strict: types come from m:type, null from m:null, strings
/// keep their white space, and only direct children of m:properties are properties. Source: MS-ODATA 2.2.6.2; OData
/// Atom Format 4.0.
struct AtomReader: ~Copyable {
    var tokenizer: XMLTokenizer
    let options: PayloadOptions
    /// The role of each name, by the index of the name.
    private var roles: [AtomRole] = []
    /// The number of each property name among the texts of the entries, by the index of the name; -1 if unknown.
    private var nameNumbers: [Int32] = []

    enum Kind: UInt8 {
        case document, feed, entry, author, contributor, content, properties, link, inline, text, mapped
        case service, workspace, collection, error, details, detail, innerError, links
    }

    struct Frame: BitwiseCopyable {
        var kind: Kind
        /// The number of base URLs that are in effect outside the element.
        var bases: Int
        /// The offset in `text` at which the text of this element starts, and the role of the element.
        var textStart = 0
        var target = AtomRole.other
        /// For a link: the number of its property name, -1 for none, and whether it leads to a feed.
        var linkName: Int32 = -1
        var isFeedLink = false
        var hasContent = false
        /// The index in `values.names` at which the property names of this frame start, and the name filter of the
        /// outer frame.
        var namesStart = 0
        var filter: UInt64 = 0
    }
    var frames: [Frame]
    /// The innermost frame. The stack is never empty.
    @inline(__always)
    var top: Frame {
        get { frames[frames.count - 1] }
        _modify { yield &frames[frames.count - 1] }
    }
    /// The base URLs in effect, the innermost last.
    var bases: [BaseURL]
    var skipped = 0
    /// Whether text is collected. If not, the tokenizer drops white space between tags.
    var collectsText = false {
        didSet { tokenizer.passesIndentation = !collectsText }
    }
    var text: [UInt8] = []

    /// The innermost entry that is being read.
    var entry: EntryContent
    var outerEntries: [ODataEntry.Box] = []
    /// The declared type of each open entry, the innermost last; empty without metadata.
    var expectedTypes: [String?] = []
    /// The type of the outermost entries, by the options and the context URL of the root.
    var rootType: String?
    var depth = 0
    var pool = EntryPool()
    var texts = TextNumbers()
    var values = AtomValues()
    /// An entry or link of the outermost feed that is complete.
    var completed: PayloadStep?
    var result = AtomResult()

    var relations = ByteCache<AtomRelation>()
    var isFeedType = ByteCache<Bool>()
    /// Whether the scheme of a category marks its term as a type.
    var schemes = ByteCache<Bool>()
    /// Whether a value of m:null means true.
    var nulls = ByteCache<Bool>()
    /// The open elements inside `innererror`, the innermost last.
    var innerElements: [InnerErrorElement] = []
    /// The open elements of other namespaces in an entry, and the namespaces that matter; nil if not yet known.
    var mappedPaths: [MappedElement] = []
    var mappedNamespaces: Set<ByteKey>?
    /// Whether the root is `m:value`, the single value of version 4, whose name is not that of the property.
    var isRootValue = false
    let checker: PayloadTypes?
    /// What the checker knows of the properties of the last entry's type.
    var declarations = KnownDeclarations()
    /// Whether there is a checker. A separate flag, so that testing it does not copy the model.
    let isChecked: Bool

    init(options: PayloadOptions) {
        var limits = XMLLimits()
        limits.totalBytes = options.limits.totalBytes
        limits.depth = options.limits.depth
        limits.textBytes = options.limits.entryBytes
        var encoding = options.isDecodedText ? XMLEncoding.utf8 : nil
        if encoding == nil, let charset = options.contentType?["charset"] {
            encoding = XMLEncoding(named: charset)
        }
        if encoding == .utf16BigEndian || encoding == .utf16LittleEndian {
            encoding = nil
        }
        tokenizer = XMLTokenizer(limits: limits, encoding: encoding)
        self.options = options
        checker = options.model.map { PayloadTypes(model: $0, options: options) }
        isChecked = checker != nil
        rootType = options.entityType
        bases = options.baseURL.map { [BaseURL($0)] } ?? []
        frames = [Frame(kind: .document, bases: bases.count)]
        entry = EntryContent(texts: texts.page)
        tokenizer.passesIndentation = true
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { tokenizer.append(bytes) }

    mutating func finish() { tokenizer.finish() }

    mutating func next() throws(Fault) -> PayloadStep {
        while true {
            switch try token() {
            // A reference or a tombstone is complete at its start tag.
            case .startElement:
                try start()
                if let step = completed.take() {
                    return step
                }
            case .endElement:
                try end()
                if let step = completed.take() {
                    return step
                }
            case .text:
                if collectsText, skipped == 0 {
                    text.append(contentsOf: tokenizer.text)
                }
            case .comment, .processingInstruction:
                break
            case .needsInput:
                return .needsInput
            case .endOfDocument:
                guard let finished = result.finished else {
                    throw Fault(
                        .invalidXML, "not an OData document: no feed, entry, property, link or error found")
                }
                return .end(finished)
            }
        }
    }

    @inline(__always)
    private mutating func token() throws(Fault) -> XMLToken {
        do throws(XMLError) { return try tokenizer.next() } catch { throw Fault(error) }
    }

    @inline(__always)
    mutating func role(of name: XMLName) -> AtomRole {
        let index = Int(name.index)
        if index < roles.count, roles[index] != .unknown {
            return roles[index]
        }
        return learnRole(of: name)
    }

    private mutating func learnRole(of name: XMLName) -> AtomRole {
        while roles.count <= Int(name.index) {
            roles.append(.unknown)
        }
        let role = AtomRole(namespace: tokenizer.namespace(of: name), local: tokenizer.localName(of: name))
        roles[Int(name.index)] = role
        return role
    }

    /// The number of the local name among the texts of the entries.
    @inline(__always)
    mutating func number(of name: Int32) -> Int32 {
        if Int(name) < nameNumbers.count, nameNumbers[Int(name)] >= 0 {
            return nameNumbers[Int(name)]
        }
        return learnNumber(of: name)
    }

    private mutating func learnNumber(of name: Int32) -> Int32 {
        while nameNumbers.count <= Int(name) {
            nameNumbers.append(-1)
        }
        let number = texts.number(of: tokenizer.localName(of: tokenizer.name(at: name)))
        nameNumbers[Int(name)] = number
        return number
    }

    /// Starts a new page of texts if the current one is full, and forgets the numbers that belong to the old page.
    mutating func turnPage() {
        guard texts.turnPage() else { return }
        nameNumbers.removeAll(keepingCapacity: true)
        values.forgetNumbers()
    }

    func attributeText(_ index: Int) -> String { tokenizer.attributeText(index) }

    var base: BaseURL? { bases.last }

    /// The base inside the element whose start tag was just read.
    mutating func innerBase() -> BaseURL? {
        var base = base
        for index in 0..<tokenizer.attributeCount where role(of: tokenizer.attributeName(index)) == .base {
            let text = attributeText(index)
            base = base?.composed(with: text) ?? BaseURL(text)
        }
        return base
    }

    /// Pushes a frame for an element, with its own base URL if it has one.
    mutating func push(_ kind: Kind, base: BaseURL? = nil) {
        collectsText = false
        frames.append(
            Frame(
                kind: kind, bases: bases.count, textStart: text.count, namesStart: values.names.count,
                filter: values.filter))
        if let base, base !== bases.last {
            bases.append(base)
        }
    }

    /// Collects the text of an element; child elements are skipped.
    mutating func pushText(_ target: AtomRole) {
        push(.text)
        top.target = target
        collectsText = true
    }

    /// Skips the element that just started, with its content.
    mutating func skip() {
        if tokenizer.readLeaf() == nil {
            skipped = 1
        }
    }
}
