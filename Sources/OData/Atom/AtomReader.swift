import Soups
import XMLText

/// Reads Atom payloads of all versions piece by piece: feeds, entries, deltas, service documents, errors, single
/// properties, links.
///
/// One loop over the tokens and a stack of frames, so nothing recurses and entries come out while bytes arrive. A
/// property is told by its namespace and its place, never by its prefix; elements of other namespaces are skipped with
/// all they hold. Read strictly: typed by m:type, null by m:null, no white space taken from strings, nothing below the
/// direct children of m:properties taken for a property. Source: MS-ODATA 2.2.6.2; OData Atom Format 4.0.
struct AtomReader: ~Copyable {
    var tokenizer: XMLTokenizer
    let options: PayloadOptions
    /// The meaning of each name, by its index.
    private var roles: [AtomRole] = []
    /// The numbers of property names, by the index of the name.
    private var nameNumbers: [Int32] = []

    enum Kind: UInt8 {
        case document, feed, entry, author, content, properties, link, inline, text
        case service, workspace, collection, error, details, detail, innerError, links
    }

    struct Frame: BitwiseCopyable {
        var kind: Kind
        /// How many bases are in force in it.
        var bases: Int
        /// Where the text of this element starts in `text`, and what it is for.
        var textStart = 0
        var target = AtomRole.other
        /// The link of an inline content: the number of its name (-1 for none), and whether it leads to a feed.
        var linkName: Int32 = -1
        var isFeedLink = false
        var hasContent = false
        /// Where the names of the properties of this frame start, and the filter of those around it.
        var namesStart = 0
        var filter: UInt64 = 0
    }
    var frames: [Frame]
    /// The base URLs in force, innermost last.
    var bases: [BaseURL]
    var skipped = 0
    /// Text is collected; else white space between tags is not even handed out.
    var collectsText = false {
        didSet { tokenizer.passesIndentation = !collectsText }
    }
    var text: [UInt8] = []

    /// What is being built: the innermost entry, and those around it.
    var entry: EntryContent
    var outerEntries: [ODataEntry.Box] = []
    var depth = 0
    var pool = EntryPool()
    var texts = TextNumbers()
    var feeds: [ODataFeed] = []
    var values = AtomValues()
    var finished: ODataPayload?
    var completed: ODataEntry?

    var relations = ByteCache<AtomRelation>()
    var isFeedType = ByteCache<Bool>()
    /// Whether the scheme of a category is that of types.
    var schemes = ByteCache<Bool>()
    /// Whether the value of m:null says so.
    var nulls = ByteCache<Bool>()
    var errorBody = ODataPayload.ErrorBody()
    var service = ODataPayload.ServiceDocument()
    var references: [URLReference] = []
    var referencesCount: Int64?
    var referencesNext: URLReference?
    var rootContext: String?
    var collectionHref: URLReference?
    var collectionTitle = ""
    var collectionKind = "EntitySet"
    var rootProperty: ODataEntry.Property?
    let checker: PayloadTypes?
    /// Asked first, so that the model is not copied for each element.
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
        checker = options.model.map { PayloadTypes(model: $0, version: options.version) }
        isChecked = checker != nil
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
            case .startElement:
                try start()
            case .endElement:
                try end()
                if let entry = completed.take() {
                    return .entry(entry)
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
                guard let finished else {
                    throw Fault(
                        .invalidXML, "not an OData document: there is no feed, entry, property, link or error in it")
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

    /// The number of the local part of a name among the texts of the entries.
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

    /// Starts new pages of what is remembered where the old ones are full.
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

    /// Enters an element, with a base of its own where one is given.
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
        frames[frames.count - 1].target = target
        collectsText = true
    }

    /// Passes over the element that just started, with all that is in it.
    mutating func skip() {
        if tokenizer.readLeaf() == nil {
            skipped = 1
        }
    }
}
