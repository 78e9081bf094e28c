/// One entity, read from any format: Atom, verbose JSON, JSON light or JSON of version 4.
///
/// ```swift
/// var entry = ODataEntry()
/// entry.type = "Shop.Item"
/// entry.append(ODataEntry.Property("Name", .string("Milk")))
/// let names = entry.properties.map(\.name)
/// let value = entry["Name"]
/// ```
///
/// An entry may also be a deleted entity of a delta. Copies share memory until one is changed, and may be read on any
/// thread. Strings and other values are created on each access, so reading an entry is cheap; keep values that you use
/// more than once.
public struct ODataEntry: Sendable {
    fileprivate var box: Box

    init(_ box: Box) { self.box = box }

    init(_ content: consuming EntryContent) { box = Box(content) }

    /// Creates an empty entity. O(1).
    public init() { self.init(EntryContent(texts: SharedTexts(capacity: 8))) }

    /// Changes the content; copies it first if it is shared.
    mutating func change(_ body: (inout EntryContent) -> Void) {
        if !isKnownUniquelyReferenced(&box) {
            box = Box(box.content.copy())
        }
        body(&box.content)
    }

    /// The id of the entity: its canonical URL, if the payload has it.
    public var id: URLReference? {
        get { box.content.id }
        set { change { $0.id = newValue } }
    }

    /// Whether the payload says that the entity has no id, because the service does not keep it. Setting an id ends
    /// that.
    public var isTransient: Bool {
        get { box.content.isTransient }
        set { change { $0.isTransient = newValue } }
    }

    /// The context URL of the entity itself, if it has one: as a whole body, or in a delta of several sets.
    public var context: String? {
        get { box.content.rest.context }
        set { change { $0.rest.context = newValue } }
    }

    /// The qualified name of the entity type, if the payload has it.
    public var type: String? {
        get { box.content.type }
        set {
            change { content in
                if let newValue {
                    content.typeNumber = content.own(newValue)
                } else {
                    content.typeNumber = -1
                }
            }
        }
    }

    /// The ETag of the entity, if the payload has it.
    public var etag: String? {
        get { box.content.etag }
        set { change { $0.etag = newValue } }
    }

    /// The URL to change the entity, if the payload has it.
    public var editLink: URLReference? {
        get { box.content.editLink }
        set { change { $0.editLink = newValue } }
    }

    /// The URL to read the entity, if the payload has it.
    public var readLink: URLReference? {
        get { box.content.readLink }
        set { change { $0.readLink = newValue } }
    }

    /// Links to related entities and to streams. O(n) in the number of links.
    public var links: [Link] {
        get { box.content.links }
        set {
            change { content in
                content.removeLinks()
                for link in newValue {
                    content.addLink(content.own(link.name), link.href, link.kind)
                }
            }
        }
    }

    /// The expanded navigation properties.
    public var navigation: [Navigation] {
        get { box.content.rest.navigation }
        set { change { $0.rest.navigation = newValue } }
    }

    /// The stream of a media link entry; nil for other entities.
    public var media: Media? {
        get { box.content.rest.media }
        set { change { $0.rest.media = newValue } }
    }

    /// Annotations and unknown control information, by their names without `@`; `Prop@ns.Term` for those of a property.
    /// A page of a collection of values has `Prop@odata.count` and `Prop@odata.nextLink`, as far as the payload does.
    public var annotations: [ODataValue.Member] {
        get { box.content.rest.annotations }
        set { change { $0.rest.annotations = newValue } }
    }

    /// The removal of the entity in a delta; nil if the entity was not removed.
    public var deletion: Deletion? {
        get { box.content.rest.deletion }
        set { change { $0.rest.deletion = newValue } }
    }

    /// The structural properties in the order of the payload.
    public var properties: Properties { Properties(self) }

    /// Returns the value of the property with a name, compared by bytes; nil if no property has it. O(n) in the number
    /// of properties.
    public subscript(_ name: String) -> ODataValue? { box.content.index(of: name).map { box.content.value(at: $0) } }

    /// Removes the structural properties and the expanded navigation properties.
    mutating func removeProperties() { change { $0.removeProperties() } }

    /// Appends a property.
    public mutating func append(_ property: Property) {
        change { content in
            var type: Int32 = -1
            if let stated = property.statedType {
                type = content.own(stated)
            }
            content.append(content.own(property.name), content.pack(property.value), type: type)
        }
    }
}

/// The packed values of an entry, for `EntryNode`.
extension ODataEntry {
    var cells: [EntryContent.Cell] { box.content.cells }

    func cell(named name: String) -> EntryContent.Cell? { box.content.index(of: name).map { box.content.cells[$0] } }

    /// The last member of a complex value with a name; nil for any other value.
    func cell(named name: String, in complex: EntryContent.Cell) -> EntryContent.Cell? {
        memberCells(of: complex)?.last { self.name(of: $0).hasBytes(of: name) }
    }

    /// The members of a complex value.
    func memberCells(of cell: EntryContent.Cell) -> ArraySlice<EntryContent.Cell>? {
        guard case .complex(let start, let count) = cell.value else { return nil }
        return box.content.parts[start..<start + count]
    }

    /// The items of a collection.
    func items(of cell: EntryContent.Cell) -> ArraySlice<EntryContent.Cell>? {
        guard case .collection(let start, let count) = cell.value else { return nil }
        return box.content.parts[start..<start + count]
    }

    func name(of cell: EntryContent.Cell) -> String { cell.name < 0 ? "" : box.content.texts[cell.name] }
    func statedType(of cell: EntryContent.Cell) -> String? { cell.type < 0 ? nil : box.content.texts[cell.type] }
    func unpack(_ cell: EntryContent.Cell) -> ODataValue { box.content.unpack(cell.value) }

    /// The texts to which the numbers of names and types refer.
    var texts: SharedTexts { box.content.texts }
    /// The bytes to which cells with texts refer.
    var textBytes: [UInt8] { box.content.bytes }
    /// Whether there may be parts that few entries have.
    var hasRest: Bool { box.content.hasRest }
}

extension ODataEntry {
    /// The structural properties of an entity in the order of the payload. Elements are created on access.
    public struct Properties: RandomAccessCollection, Sendable {
        private let entry: ODataEntry

        init(_ entry: ODataEntry) { self.entry = entry }

        public var startIndex: Int { 0 }
        public var endIndex: Int { entry.box.content.cells.count }
        /// Returns the property at an index, created on each access.
        public subscript(_ index: Int) -> Property { entry.box.content.property(at: index) }
    }

    /// The content of an entry, shared by its copies.
    ///
    /// `@unchecked Sendable`: like the storage of an array it is only changed while it is uniquely referenced
    /// (`isKnownUniquelyReferenced` in `ODataEntry.change` and `EntryPool`), and then no other thread can access it.
    final class Box: @unchecked Sendable {
        // No access overlaps another: each ends before code of the caller runs, and a shared box is copied before a
        // change. Checking each while the program runs is a search in a list of the thread.
        @exclusivity(unchecked) fileprivate(set) var content: EntryContent
        /// Whether the content was taken out.
        private(set) var isEmpty = false

        init(_ content: consuming EntryContent) { self.content = content }

        /// Takes the content out, to reuse its memory. The box must be uniquely referenced.
        func take(leaving texts: SharedTexts) -> EntryContent {
            var content = EntryContent(texts: texts)
            swap(&content, &self.content)
            isEmpty = true
            return content
        }

        func put(_ content: consuming EntryContent) {
            self.content = content
            isEmpty = false
        }
    }
}
