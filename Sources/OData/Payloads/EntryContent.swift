/// Holds what one entity has, packed: properties as cells in a row, all their texts one behind the other, names as
/// numbers of shared texts.
///
/// A reader fills one and uses its memory again for the next entry where the last one is gone; strings are made when
/// they are asked for. Numbers, dates and guids are kept as values: they were read to be checked anyway.
struct EntryContent: ~Copyable, Sendable {
    /// One structural property, member of a complex value or item of a collection.
    struct Cell: BitwiseCopyable {
        var value: PackedValue
        /// The number of the name; -1 for an item.
        var name: Int32
        /// The number of the stated type; -1 for none.
        var type: Int32 = -1
    }

    /// A text among the bytes, with the number of the base that it is relative to; the count is -1 for none.
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

    /// What few entries have.
    struct Rest {
        var navigation: [ODataEntry.Navigation] = []
        var annotations: [ODataValue.Member] = []
        var media: ODataEntry.Media?
        var deletion: ODataEntry.Deletion?
    }
    private indirect enum MaybeRest {
        case none
        case some(Rest)
    }

    var texts: SharedTexts
    /// How many of the texts this content knows: set when it is complete.
    private(set) var knownTexts = 0
    private(set) var cells: [Cell] = []
    private(set) var linkCells: [LinkCell] = []
    /// The cells of complex values and collections.
    var parts: [Cell] = []
    var bytes: [UInt8] = []
    /// Values of no fixed size that are no strings: binary ones, enumerations, shapes.
    var others: [ODataValue] = []
    private var bases: [BaseURL] = []
    private var idSlot = Slot()
    private var etagSlot = Slot()
    private var editSlot = Slot()
    private var readSlot = Slot()
    /// The number of the qualified name of the entity type, -1 where none is stated.
    var typeNumber: Int32 = -1
    private var maybeRest = MaybeRest.none

    init(texts: SharedTexts) { self.texts = texts }

    /// The same content once more. Its own word, so that no copy is made unseen.
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

    /// Says that the reader gives it out now, with the texts as they are.
    mutating func complete(with texts: SharedTexts) {
        self.texts = texts
        knownTexts = texts.count
    }

    /// The number of a text that is added after the content was given out: into a copy of the texts where they are a
    /// reader's or another entry's too.
    mutating func own(_ text: String) -> Int32 {
        if !isKnownUniquelyReferenced(&texts) || !texts.append(text) {
            texts = texts.enlarged(known: knownTexts)
            _ = texts.append(text)
        }
        knownTexts = texts.count
        return Int32(knownTexts - 1)
    }

    /// Bytes of memory that an empty content may keep for the next entry.
    private static let keptBytes = 1 << 20

    /// Empties it for another entry and keeps its memory.
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

    /// Makes room for as many properties and links as another entry had.
    mutating func reserve(like other: (cells: Int, links: Int, bytes: Int)) {
        cells.reserveCapacity(other.cells)
        linkCells.reserveCapacity(other.links)
        bytes.reserveCapacity(other.bytes)
    }

    var size: (cells: Int, links: Int, bytes: Int) { (cells.count, linkCells.count, bytes.count) }

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

    mutating func removeProperty(at index: Int) { cells.remove(at: index) }

    /// Moves the last property to another place.
    mutating func moveLastProperty(to index: Int) { cells.insert(cells.removeLast(), at: index) }

    /// The place of the property of that name. Names compare by bytes. O(properties).
    func index(of name: String) -> Int? { cells.firstIndex { texts[$0.name].utf8.elementsEqual(name.utf8) } }

    // MARK: - What few entries have

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
            // Now only this one holds the arrays, and they can be appended to in place.
            maybeRest = .none
            defer { maybeRest = .some(rest) }
            yield &rest
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
