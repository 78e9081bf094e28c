/// Holds one entity, whatever format it came in: Atom, verbose JSON, JSON light or JSON of version 4.
///
/// Also holds a deleted entity that a delta lists. A value like any other: copies share their memory until one is
/// changed, and may be read on any thread. Texts are made into strings when they are asked for, so an entry costs
/// little until it is looked at; ask once for what you need more than once.
public struct ODataEntry: Sendable {
    fileprivate var box: Box

    init(_ box: Box) { self.box = box }

    init(_ content: consuming EntryContent) { box = Box(content) }

    /// An entity without anything; O(1).
    public init() { self.init(EntryContent(texts: SharedTexts(capacity: 8))) }

    /// Changes the content, in a copy of its own where it is shared.
    mutating func change(_ body: (inout EntryContent) -> Void) {
        if !isKnownUniquelyReferenced(&box) {
            box = Box(box.content.copy())
        }
        body(&box.content)
    }

    public var id: URLReference? {
        get { box.content.id }
        set { change { $0.id = newValue } }
    }

    /// The qualified name of the entity type, where the payload states it.
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

    public var etag: String? {
        get { box.content.etag }
        set { change { $0.etag = newValue } }
    }

    public var editLink: URLReference? {
        get { box.content.editLink }
        set { change { $0.editLink = newValue } }
    }

    public var readLink: URLReference? {
        get { box.content.readLink }
        set { change { $0.readLink = newValue } }
    }

    /// Links to related entities and to streams. O(links).
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

    /// Related entities that are part of the payload.
    public var navigation: [Navigation] {
        get { box.content.rest.navigation }
        set { change { $0.rest.navigation = newValue } }
    }

    public var media: Media? {
        get { box.content.rest.media }
        set { change { $0.rest.media = newValue } }
    }

    /// Annotations and unknown control information, by their name without `@`; `Prop@ns.Term` for those of a property.
    public var annotations: [ODataValue.Member] {
        get { box.content.rest.annotations }
        set { change { $0.rest.annotations = newValue } }
    }

    /// Why the entity is no longer there, in a delta; nil for one that is.
    public var deletion: Deletion? {
        get { box.content.rest.deletion }
        set { change { $0.rest.deletion = newValue } }
    }

    /// The structural properties in their order.
    public var properties: Properties { Properties(self) }

    /// The value of a property; nil where there is none of that name. Names compare by bytes. O(properties).
    public subscript(_ name: String) -> ODataValue? { box.content.index(of: name).map { box.content.value(at: $0) } }

    /// Adds a property behind the others.
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

extension ODataEntry {
    /// Holds the structural properties of an entity in their order: a collection whose elements are made when they are
    /// asked for.
    public struct Properties: RandomAccessCollection, Sendable {
        private let entry: ODataEntry

        init(_ entry: ODataEntry) { self.entry = entry }

        public var startIndex: Int { 0 }
        public var endIndex: Int { entry.box.content.cells.count }
        /// Unpacks one property; its strings are made now.
        public subscript(_ index: Int) -> Property { entry.box.content.property(at: index) }
    }

    /// Holds the content of an entry, shared by its copies.
    ///
    /// `@unchecked Sendable`, like the memory of an array: it is changed only while there is one reference to it
    /// (`isKnownUniquelyReferenced`, in `ODataEntry.change` and `EntryPool`), and with one reference no other thread
    /// can see it.
    final class Box: @unchecked Sendable {
        fileprivate(set) var content: EntryContent
        /// The content was taken out.
        private(set) var isEmpty = false

        init(_ content: consuming EntryContent) { self.content = content }

        /// Takes the content out, to be used again. Only where there is one reference.
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
