import OData
import Soups

/// Applies the entities and links of a page in their order, rows being looked up for many entities at a time.
struct PageApplication {
    let writer: PageWriter
    let reading: EntityReading
    /// The number of changes of the page before these.
    private let before: Int
    private var rows: ArrivedRowWriter
    private(set) var count = 0
    private var waiting: [Arrived] = []

    private static let entitiesPerLookUp = 200

    init(writer: PageWriter, reading: EntityReading, after before: Int) {
        self.writer = writer
        self.before = before
        self.reading = reading
        rows = ArrivedRowWriter(reading, writer.set)
    }

    mutating func apply(_ change: ODataFeed.Change) throws(Fault) {
        count += 1
        switch change {
        case .entry(let entry):
            guard !isElsewhere(entry) else {
                writer.summary.skipped += 1
                return
            }
            let name = setName(of: entry)
            guard let name, ByteKey(name) != ByteKey(writer.set.name) else {
                waiting.append(try arrived(entry))
                if waiting.count == Self.entitiesPerLookUp {
                    try applyWaiting(writes: true)
                }
                return
            }
            try applyWaiting(writes: false)
            guard let other = writer.map.find(name) else {
                writer.summary.skipped += 1
                return
            }
            try writer.apply(try reading.entity(entry, of: other), of: other)
        case .link(let link):
            try applyWaiting(writes: false)
            try LinkApplication(writer: writer).apply(link)
        }
    }

    private mutating func arrived(_ entry: ODataEntry) throws(Fault) -> Arrived {
        if writer.takesRows, let row = rows.row(of: entry) {
            return .row(row)
        }
        return .entity(try reading.entity(entry, of: writer.set))
    }

    mutating func finish() throws(Fault) { try applyWaiting(writes: true) }

    private mutating func applyWaiting(writes: Bool) throws(Fault) {
        let arrived = waiting
        waiting = []
        do throws(Fault) {
            if !arrived.isEmpty {
                try writer.apply(arrived)
            }
            if writes {
                try writer.flush()
            }
        } catch {
            throw error.code == .invalidEntry ? located(error, in: arrived) : error
        }
    }

    /// The fault of a value that cannot be stored, with the number of its entity. The key of that may be the value.
    private func located(_ fault: Fault, in arrived: [Arrived]) -> Fault {
        let roots = fault.context.compactMap { fact -> ByteKey? in
            guard case .path(let path) = fact else { return nil }
            return ByteKey(path.dottedNames.first ?? path)
        }
        let index = arrived.firstIndex { arrived in
            guard let entity = try? arrived.entity() else { return false }
            return entity.properties.members.contains {
                roots.contains(ByteKey($0.name)) && UnindexableValues.hasNUL($0.value)
            }
        }
        guard let index else { return fault }
        let number = before + count - arrived.count + index + 1
        return Fault(
            fault.code, "entity \(number) of the page cannot be stored: \(fault.message)",
            context: fault.context + [.soup(writer.set.soup)])
    }

    /// The set that an entry of a delta names; nil if it does not name a set.
    private func setName(of entry: ODataEntry) -> String? {
        ODataFeed().entitySet(of: .entry(entry)) ?? setInID(of: entry)
    }

    /// Whether no row can be that of an entity: it is contained in another one, or it was removed from a set that is
    /// not mapped. One of a set that the metadata does not have is not passed over: its name may be misspelled.
    private func isElsewhere(_ entry: ODataEntry) -> Bool {
        if writer.state.isDelta, ODataFeed.isBehindSet(entry) {
            return true
        }
        guard entry.deletion != nil, entry.properties.isEmpty, ODataFeed().entitySet(of: .entry(entry)) == nil,
            let url = entry.id?.resolved, let predicate = KeyPredicate(url: url, version: writer.map.version)
        else { return false }
        return writer.map.find(predicate.set) == nil && isDeclared(predicate.set)
    }

    /// Whether the metadata has a set of a name, or a navigation property, behind which entities are contained in
    /// others; true without metadata.
    private func isDeclared(_ name: String) -> Bool {
        guard let model = writer.map.model else { return true }
        return model.entitySet(name) != nil
            || model.schemas.contains { schema in
                (schema.entityTypes + schema.complexTypes).contains { type in
                    type.navigation.contains { ByteKey($0.name) == ByteKey(name) }
                }
            }
    }

    private func setInID(of entry: ODataEntry) -> String? {
        guard entry.deletion != nil, let url = entry.id?.resolved else { return nil }
        return reading.reference(inURL: url)?.set.name
    }
}
