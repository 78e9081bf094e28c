/// The packed content of one entity: an array of properties, one array with the bytes of all their texts, and names as
/// numbers of shared texts.
///
/// A reader reuses the memory of the last entry for the next one unless the caller has kept it. Strings are created
/// when they are read. Numbers, dates and guids are stored as values, because they are parsed for validation anyway.
struct EntryContent: ~Copyable, Sendable {
    /// One structural property, member of a complex value or item of a collection.
    struct Cell: BitwiseCopyable {
        var value: PackedValue
        /// The number of the name; -1 for an item.
        var name: Int32
        /// The number of the type in the payload; -1 if the payload does not state it.
        var type: Int32 = -1
    }

    /// A range of the bytes with the number of its base URL; the count is -1 for no text, -2 for null.
    struct Slot: BitwiseCopyable {
        var start = 0
        var count = -1
        var base: Int32 = -1
    }

    struct LinkCell: BitwiseCopyable {
        var name: Int32
        var kind: ODataEntry.Link.Kind
        var href: Slot
    }

    /// Parts that few entries have.
    struct Rest {
        var navigation: [ODataEntry.Navigation] = []
        var annotations: [ODataValue.Member] = []
        var media: ODataEntry.Media?
        var deletion: ODataEntry.Deletion?
        var context: String?
    }
    private indirect enum MaybeRest {
        case none
        case some(Rest)
    }

    var texts: SharedTexts
    /// The number of shared texts that this content uses; set when it is complete.
    private(set) var knownTexts = 0
    private(set) var cells: [Cell] = []
    private(set) var linkCells: [LinkCell] = []
    /// The cells of complex values and collections.
    var parts: [Cell] = []
    var bytes: [UInt8] = []
    /// Values of variable size other than strings: binary values, enumerations and shapes.
    var others: [ODataValue] = []
    private var bases: [BaseURL] = []
    private var idSlot = Slot()
    private var etagSlot = Slot()
    private var editSlot = Slot()
    private var readSlot = Slot()
    /// The number of the qualified name of the entity type; -1 if the payload does not state it.
    var typeNumber: Int32 = -1
    private var maybeRest = MaybeRest.none

    init(texts: SharedTexts) { self.texts = texts }

    /// A copy of the content. The type is not copyable, so that every copy is explicit.
    func copy() -> EntryContent {
        var other = EntryContent(texts: texts)
        other.knownTexts = knownTexts
        other.cells = cells
        other.linkCells = linkCells
        other.parts = parts
        other.bytes = bytes
        other.others = others
        other.bases = bases
        other.idSlot = idSlot
        other.etagSlot = etagSlot
        other.editSlot = editSlot
        other.readSlot = readSlot
        other.typeNumber = typeNumber
        other.maybeRest = maybeRest
        return other
    }

    /// Marks the content as complete before the reader returns it, with the texts as they are now.
    mutating func complete(with texts: SharedTexts) {
        self.texts = texts
        knownTexts = texts.count
    }

    /// Adds a text after the reader returned the content, and returns its number. The shared texts are copied first if
    /// a reader or another entry uses them too.
    mutating func own(_ text: String) -> Int32 {
        if !isKnownUniquelyReferenced(&texts) || !texts.append(text) {
            texts = texts.enlarged(known: knownTexts)
            _ = texts.append(text)
        }
        knownTexts = texts.count
        return Int32(knownTexts - 1)
    }

    /// The maximum number of bytes that an empty content keeps for the next entry.
    private static let keptBytes = 1 << 20

    /// Empties the content for another entry and keeps its memory.
    mutating func reset(texts: SharedTexts) {
        self.texts = texts
        cells.removeAll(keepingCapacity: cells.capacity <= 1_000)
        linkCells.removeAll(keepingCapacity: linkCells.capacity <= 1_000)
        if !parts.isEmpty {
            parts.removeAll(keepingCapacity: parts.capacity <= 1_000)
        }
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        if !others.isEmpty {
            others = []
        }
        if bases.count > 1 {
            bases = []
        }
        idSlot.count = -1
        etagSlot.count = -1
        editSlot.count = -1
        readSlot.count = -1
        typeNumber = -1
        maybeRest = .none
    }

    /// Reserves memory for an entry of a size.
    mutating func reserve(_ other: EntrySize) {
        cells.reserveCapacity(other.cells)
        linkCells.reserveCapacity(other.links)
        parts.reserveCapacity(other.parts)
        bytes.reserveCapacity(other.bytes)
    }

    var size: EntrySize {
        EntrySize(cells: cells.count, links: linkCells.count, parts: parts.count, bytes: bytes.count)
    }

    // MARK: - Texts

    @inline(__always)
    private mutating func slot(_ text: UnsafeBufferPointer<UInt8>, base: BaseURL? = nil) -> Slot {
        let slot = Slot(start: bytes.count, count: text.count, base: base.map { number(of: $0) } ?? -1)
        bytes.append(contentsOf: text)
        return slot
    }

    private mutating func number(of base: BaseURL) -> Int32 {
        if let last = bases.last, last === base {
            return Int32(bases.count - 1)
        }
        bases.append(base)
        return Int32(bases.count - 1)
    }

    func string(_ start: Int, _ count: Int) -> String { String(decoding: bytes[start..<start + count], as: UTF8.self) }

    private func reference(_ slot: Slot) -> URLReference? {
        slot.count < 0
            ? nil : URLReference(string(slot.start, slot.count), base: slot.base < 0 ? nil : bases[Int(slot.base)])
    }

    private mutating func slot(_ reference: URLReference?) -> Slot {
        guard let reference else {
            return Slot()
        }
        return withBytes(of: reference.text) { slot($0, base: reference.base) }
    }

    mutating func setID(_ text: UnsafeBufferPointer<UInt8>, base: BaseURL?) { idSlot = slot(text, base: base) }
    mutating func setEtag(_ text: UnsafeBufferPointer<UInt8>) { etagSlot = slot(text) }
    mutating func setEditLink(_ text: UnsafeBufferPointer<UInt8>, base: BaseURL?) { editSlot = slot(text, base: base) }
    mutating func setReadLink(_ text: UnsafeBufferPointer<UInt8>, base: BaseURL?) { readSlot = slot(text, base: base) }

    var id: URLReference? {
        get { reference(idSlot) }
        set { idSlot = slot(newValue) }
    }
    /// Whether the payload says that the entity has no id.
    var isTransient: Bool {
        get { idSlot.count == -2 }
        set { idSlot.count = newValue ? -2 : max(-1, idSlot.count) }
    }
    var editLink: URLReference? {
        get { reference(editSlot) }
        set { editSlot = slot(newValue) }
    }
    var readLink: URLReference? {
        get { reference(readSlot) }
        set { readSlot = slot(newValue) }
    }
    var etag: String? {
        get { etagSlot.count < 0 ? nil : string(etagSlot.start, etagSlot.count) }
        set { etagSlot = newValue.map { text in withBytes(of: text) { slot($0) } } ?? Slot() }
    }
    var type: String? { typeNumber < 0 ? nil : texts[typeNumber] }

    // MARK: - Links

    mutating func addLink(
        _ name: Int32, _ href: UnsafeBufferPointer<UInt8>, base: BaseURL?, _ kind: ODataEntry.Link.Kind
    ) {
        linkCells.append(LinkCell(name: name, kind: kind, href: slot(href, base: base)))
    }

    mutating func addLink(_ name: Int32, _ href: URLReference, _ kind: ODataEntry.Link.Kind) {
        linkCells.append(LinkCell(name: name, kind: kind, href: slot(href)))
    }

    var links: [ODataEntry.Link] {
        linkCells.map { ODataEntry.Link(texts[$0.name], reference($0.href) ?? URLReference(""), $0.kind) }
    }

    mutating func removeLinks() { linkCells = [] }

    // MARK: - Properties

    @inline(__always)
    mutating func append(_ name: Int32, _ value: PackedValue, type: Int32) {
        cells.append(Cell(value: value, name: name, type: type))
    }

    @inline(__always)
    mutating func append(_ cell: Cell) { cells.append(cell) }

    func name(at index: Int) -> String { texts[cells[index].name] }
    func statedType(at index: Int) -> String? { cells[index].type < 0 ? nil : texts[cells[index].type] }
    func value(at index: Int) -> ODataValue { unpack(cells[index].value) }
    mutating func setValue(_ value: ODataValue, at index: Int) { cells[index].value = pack(value) }

    func property(at index: Int) -> ODataEntry.Property {
        ODataEntry.Property(name(at: index), value(at: index), statedType: statedType(at: index))
    }

    /// Removes the properties and the expanded navigation properties.
    mutating func removeProperties() {
        cells.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        rest.navigation = []
    }

    /// Whether the name of a property satisfies a condition. O(n) in the number of properties.
    func hasProperty(where condition: (String) -> Bool) -> Bool { cells.contains { condition(texts[$0.name]) } }

    /// The index of the property with a name, compared by bytes. O(n) in the number of properties.
    func index(of name: String) -> Int? { cells.firstIndex { texts[$0.name].hasBytes(of: name) } }

    // MARK: - Parts that few entries have

    var rest: Rest {
        get {
            if case .some(let rest) = maybeRest {
                rest
            } else {
                Rest()
            }
        }
        _modify {
            var rest = rest
            // Release the stored copy, so that the arrays are uniquely referenced and can be changed in place.
            maybeRest = .none
            defer { maybeRest = .some(rest) }
            yield &rest
        }
    }

    /// Whether there may be such parts. False only if there are none.
    var hasRest: Bool {
        if case .none = maybeRest {
            false
        } else {
            true
        }
    }

    var isDeleted: Bool {
        if case .some(let rest) = maybeRest {
            rest.deletion != nil
        } else {
            false
        }
    }
}
