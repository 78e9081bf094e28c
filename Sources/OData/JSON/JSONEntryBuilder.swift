import JSONText
import Soups

/// Builds entries from the objects on a tape, for all JSON formats of OData.
///
/// Members may have any order. The tape limits the depth. Offsets in faults count from the start of the tape's text;
/// the reader converts them to offsets in the body.
struct JSONEntryBuilder {
    let options: PayloadOptions
    let checker: PayloadTypes?
    /// Whether there is a checker. A separate flag, so that testing it does not copy the model.
    let isChecked: Bool
    var format: JSONFormat
    /// The navigation properties that the context URL lists as expanded.
    var expanded = ExpandedNames()
    /// Whether a relative URL was read while no base URL was known.
    var metRelativeURL = false
    /// What is known about a member name that was read before.
    struct KnownName {
        let meaning: JSONName
        /// The number of the name among the texts of the entries if it is the name of a property, otherwise -1.
        var number: Int32 = -1
        var control: JSONName.Control?
    }
    var names = ByteCache<KnownName>()
    private var types = ByteCache<StatedType>()
    var texts = TextNumbers()
    var declared = DeclaredPrimitives()
    var pool = EntryPool()
    /// The number of nested entries that are being built.
    var depth = 0

    init(options: PayloadOptions, format: JSONFormat) {
        self.options = options
        self.format = format
        checker = options.model.map { PayloadTypes(model: $0, options: options) }
        isChecked = checker != nil
    }

    /// The bytes of a string without escapes; nil for a string with escapes.
    @inline(__always)
    static func plainBytes(_ text: JSONStringText) -> UnsafeBufferPointer<UInt8>? {
        guard !text.isEscaped else { return nil }
        return text.writtenBytes.bindMemory(to: UInt8.self)
    }

    mutating func meaning(of name: JSONStringText) -> JSONName {
        guard let bytes = Self.plainBytes(name) else {
            return JSONName(name.string, format: format)
        }
        return names.index(of: bytes).map { names.values[$0].meaning } ?? learn(bytes).meaning
    }

    private mutating func learn(_ bytes: UnsafeBufferPointer<UInt8>) -> KnownName {
        var known = KnownName(meaning: JSONName(String(bytes: bytes), format: format))
        switch known.meaning {
        case .plain: known.number = texts.number(of: bytes)
        case .control(let control): known.control = control
        default: break
        }
        names.remember(bytes, known)
        return known
    }

    /// The number of a property name without escapes; -1 for all other names.
    @inline(__always)
    mutating func propertyNumber(of name: JSONStringText) -> Int32 {
        guard let bytes = Self.plainBytes(name) else {
            return -1
        }
        if let index = names.index(of: bytes) {
            return names.values[index].number
        }
        return learn(bytes).number
    }

    /// The number of a text for an entry.
    mutating func number(of text: String, in entry: inout EntryContent) -> Int32 {
        let number = texts.number(of: text)
        // The text may have been added to a new page.
        entry.texts = texts.page
        return number
    }

    mutating func setType(_ node: JSONNode, of entry: inout EntryContent) throws(Fault) {
        entry.typeNumber = node.isNull ? -1 : number(of: try statedType(node).text, in: &entry)
    }

    mutating func statedType(_ node: JSONNode) throws(Fault) -> StatedType {
        guard let text = node.stringText else {
            throw Fault(.invalidJSON, "the type must be a string", offset: node.offset)
        }
        let bytes = Self.plainBytes(text)
        let type = bytes.map { types.value(of: $0) { StatedType($0) } } ?? StatedType(text.string)
        guard !type.isNested else {
            throw Fault(.invalidJSON, "there is no type for a collection of collections", offset: node.offset)
        }
        return type
    }

    mutating func reference(_ node: JSONNode, base: BaseURL?) throws(Fault) -> URLReference? {
        if node.isNull {
            return nil
        }
        guard let text = node.string else {
            throw Fault(.invalidJSON, "a URL must be a string", offset: node.offset)
        }
        if base == nil, ReferenceParts(text).scheme == nil {
            metRelativeURL = true
        }
        return URLReference(text, base: base)
    }

    /// The type of an entity in a feed, which may have a context URL of its own.
    func expectedType(_ expected: String?, ownContext context: JSONNode?) -> String? {
        guard isChecked, let context, let text = context.string else { return expected }
        return checker?.expectedType(expected, context: text, isOwn: true)
    }

    /// The type of the entity or entities of a body with a context URL.
    func expectedType(_ expected: String?, bodyContext context: String?) -> String? {
        guard isChecked, let context else { return expected }
        return checker?.expectedType(expected, context: context, isOwn: false)
    }

    func text(_ node: JSONNode) throws(Fault) -> String {
        guard let text = node.string else {
            throw Fault(.invalidJSON, "this control information must be a string", offset: node.offset)
        }
        return text
    }
}
