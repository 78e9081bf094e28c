import Soups

/// A node in the data of an entry: the entry itself, a value in it, or what the payload says about it.
///
/// Values are read where the reader packed them, without a detour over JSON. A number without a type in the payload is
/// a decimal, as it is in JSON data, so that the same expression has the same value for both.
struct EntryNode: EntityNode {
    private enum Kind {
        case entry(ODataEntry)
        case cell(ODataEntry, EntryContent.Cell)
        case feed([ODataEntry])
        /// A value that is not packed, with the type that the payload states.
        case value(ODataValue, type: String?)
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The root of the data of an entry.
    init(_ entry: ODataEntry) { kind = .entry(entry) }

    private init(_ entry: ODataEntry, _ cell: EntryContent.Cell) {
        if case .other = cell.value {
            kind = .value(entry.unpack(cell), type: entry.statedType(of: cell))
        } else {
            kind = .cell(entry, cell)
        }
    }

    private init(_ value: ODataValue) { kind = .value(value, type: nil) }

    private init(_ navigation: ODataEntry.Navigation.Content) {
        switch navigation {
        case .null: kind = .value(.null, type: nil)
        case .entry(let entry): kind = .entry(entry)
        case .feed(let feed): kind = .feed(feed.entries)
        }
    }

    /// The entry or the value that the node is; an expanded feed is a collection of its entries.
    var entry: ODataEntry? {
        if case .entry(let entry) = kind {
            entry
        } else {
            nil
        }
    }

    /// The entries of an expanded feed; nil for anything else.
    var entries: [ODataEntry]? {
        if case .feed(let entries) = kind {
            entries
        } else {
            nil
        }
    }

    /// The value of a node below the entry; nil for an entry and for a feed.
    var value: ODataValue? {
        switch kind {
        case .cell(let entry, let cell): entry.unpack(cell)
        case .value(let value, _): value
        case .entry, .feed: nil
        }
    }

    /// The type that the payload states for the node.
    var statedType: String? {
        switch kind {
        case .entry(let entry): entry.type
        case .cell(let entry, let cell): entry.statedType(of: cell)
        case .value(_, let type): type
        case .feed: nil
        }
    }

    var content: EntityContent {
        switch kind {
        case .entry: return .object
        case .feed: return .array
        case .value(let value, let type): return Self.content(of: value, isStated: type != nil)
        case .cell(let entry, let cell):
            switch cell.value {
            case .complex: return .object
            case .collection: return .array
            default: return Self.content(of: entry.unpack(cell), isStated: cell.type >= 0)
            }
        }
    }

    private static func content(of value: ODataValue, isStated: Bool) -> EntityContent {
        switch value {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        // The payload may have left the type of a text to the metadata.
        case .string(let text): .text(text)
        case .complex: .object
        case .collection: .array
        case .byte, .sbyte, .int16, .int32, .int64, .double, .single:
            isStated ? .value(value) : .value(value.exactDecimal.map(ODataValue.decimal) ?? value)
        default: .value(value)
        }
    }

    func member(_ name: String) -> EntryNode? {
        switch kind {
        case .entry(let entry):
            if let cell = entry.cell(named: name) {
                return EntryNode(entry, cell)
            }
            if let found = entry.navigation.first(where: { $0.name.hasBytes(of: name) }) {
                return EntryNode(found.content)
            }
            return name.utf8.contains(UInt8(ascii: "@")) ? Self.annotation(name, of: entry) : nil
        case .cell(let entry, let cell):
            if let found = entry.cell(named: name, in: cell) {
                return EntryNode(entry, found)
            }
            return typeNode(name)
        case .value(let value, _):
            guard case .complex(let members) = value,
                let found = members.last(where: { $0.name.hasBytes(of: name) })
            else {
                return typeNode(name)
            }
            return EntryNode(found.value)
        case .feed: return nil
        }
    }

    private func typeNode(_ name: String) -> EntryNode? {
        guard name == "@odata.type" || name == "@type" else { return nil }
        return statedType.map { EntryNode(.string($0)) }
    }

    /// Control information of the entry, or an annotation of it or of one of its properties.
    private static func annotation(_ name: String, of entry: ODataEntry) -> EntryNode? {
        func text(_ text: String?) -> EntryNode? { text.map { EntryNode(.string($0)) } }
        switch name {
        case "@odata.type", "@type": return text(entry.type)
        case "@odata.id", "@id": return text(entry.id?.resolved)
        case "@odata.etag", "@etag": return text(entry.etag)
        default: break
        }
        let wanted = name.utf8.first == UInt8(ascii: "@") ? String(name.dropFirst()) : name
        return entry.annotations.first { $0.name.hasBytes(of: wanted) }.map { EntryNode($0.value) }
    }

    var elements: [EntryNode]? {
        switch kind {
        case .feed(let entries): entries.map { EntryNode($0) }
        case .cell(let entry, let cell): entry.items(of: cell)?.map { EntryNode(entry, $0) }
        case .value(.collection(let values), _): values.map { EntryNode($0) }
        case .entry, .value: nil
        }
    }

    var memberNames: [String]? { members?.map(\.name) }

    var members: [(name: String, value: EntryNode)]? {
        switch kind {
        case .entry(let entry):
            entry.cells.map { (entry.name(of: $0), EntryNode(entry, $0)) }
                + entry.navigation.map { ($0.name, EntryNode($0.content)) }
        case .cell(let entry, let cell):
            entry.memberCells(of: cell)?.map { (entry.name(of: $0), EntryNode(entry, $0)) }
        case .value(.complex(let members), _): members.map { ($0.name, EntryNode($0.value)) }
        case .value, .feed: nil
        }
    }
}
