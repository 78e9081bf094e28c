import Soups
import XMLText

/// Reads Atom payloads of all versions piece by piece: feeds, entries, deltas, service documents, errors, single properties, links.
///
/// One loop over the tokens and a stack of frames, so nothing recurses and entries come out while bytes arrive. A property is told by its namespace and its
/// place, never by its prefix; elements of other namespaces are skipped with all they hold. Source: odata.md 2.3; the strict reading of 1.4 and 1.5: typed
/// by m:type, null by m:null, no white space taken from strings, nothing below the direct children of m:properties taken for a property.
struct AtomReader: ~Copyable {
    var tokenizer: XMLTokenizer
    let options: PayloadOptions
    /// The meaning of each name, by its index.
    private var roles: [AtomRole] = []
    /// The local parts of property names, by the index of the name.
    var propertyNames: [String?] = []

    enum Kind: UInt8 {
        case document, feed, entry, author, content, properties, link, inline, text
        case service, workspace, collection, error, details, detail, innerError, links
    }

    struct Frame {
        var kind: Kind
        var base: BaseURL?
        /// Where the text of this element starts in `text`, and what it is for.
        var textStart = 0
        var target = AtomRole.other
        /// The link of an inline content: its name, and whether it leads to a feed.
        var linkName = ""
        var isFeedLink = false
        var hasContent = false
        /// Where the names of the properties of this frame start.
        var namesStart = 0
    }
    var frames: [Frame]
    var skipped = 0
    /// How many links the last entry had.
    var expectedLinks = 0
    var collectsText = false
    var text: [UInt8] = []

    /// What is being built, innermost last.
    var entries: [ODataEntry] = []
    var feeds: [ODataFeed] = []
    var values = AtomValues()
    var finished: ODataPayload?
    var completed: ODataEntry?

    var relations = ByteCache<AtomRelation>()
    var isFeedType = ByteCache<Bool>()
    var typeTexts = ByteCache<String>()
    var contentTypes = ByteCache<String>()
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

    init(options: PayloadOptions) {
        var limits = XMLLimits()
        limits.totalBytes = options.limits.totalBytes
        limits.depth = options.limits.depth
        limits.textBytes = options.limits.entryBytes
        var encoding = options.isDecodedText ? XMLEncoding.utf8 : nil
        if encoding == nil, let charset = options.contentType?["charset"] { encoding = XMLEncoding(named: charset) }
        if encoding == .utf16BigEndian || encoding == .utf16LittleEndian { encoding = nil }
        tokenizer = XMLTokenizer(limits: limits, encoding: encoding)
        self.options = options
        checker = options.model.map { PayloadTypes(model: $0, version: options.version) }
        frames = [Frame(kind: .document, base: options.baseURL.map(BaseURL.init))]
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
                if let entry = completed.take() { return .entry(entry) }
            case .text:
                if skipped == 0, collectsText { text.append(contentsOf: tokenizer.text) }
            case .comment, .processingInstruction:
                break
            case .needsInput:
                return .needsInput
            case .endOfDocument:
                guard let finished else { throw Fault(.invalidXML, "The document is no payload of OData.") }
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
        if index < roles.count, roles[index] != .unknown { return roles[index] }
        return learnRole(of: name)
    }

    private mutating func learnRole(of name: XMLName) -> AtomRole {
        while roles.count <= Int(name.index) { roles.append(.unknown) }
        let role = AtomRole(namespace: tokenizer.namespace(of: name), local: tokenizer.localName(of: name))
        roles[Int(name.index)] = role
        return role
    }

    /// The local part of a name as a string, made once.
    mutating func propertyName(_ name: XMLName) -> String {
        let index = Int(name.index)
        if index < propertyNames.count, let known = propertyNames[index] { return known }
        while propertyNames.count <= index { propertyNames.append(nil) }
        let text = tokenizer.localName(of: name)
        propertyNames[index] = text
        return text
    }

    func attributeText(_ index: Int) -> String { tokenizer.attributeText(index) }

    var base: BaseURL? { frames[frames.count - 1].base }

    /// The base inside the element whose start tag was just read.
    mutating func innerBase() -> BaseURL? {
        var base = base
        for index in 0..<tokenizer.attributeCount where role(of: tokenizer.attributeName(index)) == .base {
            let text = attributeText(index)
            base = base?.composed(with: text) ?? BaseURL(text)
        }
        return base
    }

    mutating func push(_ kind: Kind, base: BaseURL?) {
        collectsText = false
        frames.append(Frame(kind: kind, base: base, textStart: text.count, namesStart: values.names.count))
    }

    /// Collects the text of an element; child elements are skipped.
    mutating func pushText(_ target: AtomRole) {
        push(.text, base: base)
        frames[frames.count - 1].target = target
        collectsText = true
    }

    mutating func skip() { skipped = 1 }
}
