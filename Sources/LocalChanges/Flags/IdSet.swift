package import Soups

/// A set of ids, kept packed, so that a million of them take little memory: for an id of 18, 21 bytes if ids are added
/// in ascending order, as services list them mostly, and 31 to 41 if not.
package struct IdSet: Sendable {
    /// The most bytes of all ids together.
    static let greatestSize = 1 << 30

    /// Creates an empty set.
    package init() {}

    private var ids = PackedIds()
    /// The number of packed ids.
    private var packed = 0
    /// Finds ids as long as they are added in ascending order.
    private var order = IdOrder()
    /// Finds ids once one was added that comes before another.
    private var table: IdTable?
    /// The ids that are too long to be packed. No service is known to have any.
    private var longIds: Set<ByteKey> = []
    /// The bytes of all ids.
    package private(set) var size = 0

    /// The number of ids.
    package var count: Int { packed + longIds.count }

    /// Adds an id; one that is there already is ignored.
    ///
    /// - Throws: `limitExceeded` if all ids together would be longer than 1 GiB.
    package mutating func insert(_ id: String) throws(Fault) {
        var id = id
        let length = id.utf8.count
        guard size + length <= Self.greatestSize else {
            throw Fault(.limitExceeded, "the ids of the service have more than \(Self.greatestSize) bytes in all")
        }
        let before = count
        if Self.isPacked(length) {
            id.withUTF8 { insert(UnsafeRawBufferPointer($0)) }
        } else {
            longIds.insert(ByteKey(id))
        }
        size += count > before ? length : 0
    }

    package func contains(_ id: String) -> Bool {
        var id = id
        return id.withUTF8 { contains(UnsafeRawBufferPointer($0)) }
    }

    /// Whether an id with these bytes in UTF-8 was added.
    package func contains(_ id: UnsafeRawBufferPointer) -> Bool {
        guard Self.isPacked(id.count) else {
            return longIds.contains(ByteKey(String(decoding: id, as: UTF8.self)))
        }
        return start(of: id) != nil
    }

    /// Whether an id of a length is packed, if it is there at all.
    static func isPacked(_ length: Int) -> Bool { length <= PackedIds.greatestLength }

    /// Where a packed id begins; nil if it is not there.
    func start(of id: UnsafeRawBufferPointer) -> UInt32? {
        if let table {
            return table.start(of: id, in: ids)
        }
        return order.start(of: id, in: ids)
    }

    /// Whether an id with these bytes begins at a position, which is 0 or one that `start(after:)` has given.
    func hasId(_ id: UnsafeRawBufferPointer, at start: UInt32) -> Bool {
        ids.hasId(at: start) && ids.withId(at: start) { $0.hasSameBytes(as: id) }
    }

    /// The position after a packed id, where the next one begins if there is one.
    func start(after start: UInt32) -> UInt32 { ids.start(after: start) }

    private mutating func insert(_ id: UnsafeRawBufferPointer) {
        if table == nil {
            switch orderOfLast(id) {
            case .before:
                order.note(ids.append(id))
                packed += 1
                return
            case .same: return
            case .after: leaveOrder()
            }
        }
        let isNew = table?.insert(id, into: &ids) ?? false
        packed += isNew ? 1 : 0
    }

    private enum Order {
        case before, same, after
    }

    /// How the id that was added last compares with another one; `before` in an empty set.
    private func orderOfLast(_ id: UnsafeRawBufferPointer) -> Order {
        guard let last = ids.last else { return .before }
        return ids.withId(at: last) { lastId in
            lastId.hasSameBytes(as: id) ? .same : lastId.precedes(id) ? .before : .after
        }
    }

    /// Enters all ids in a table, because the next one is not in ascending order.
    private mutating func leaveOrder() {
        var all = IdTable(capacity: packed)
        var start: UInt32 = 0
        while ids.hasId(at: start) {
            ids.withId(at: start) { all.note($0, at: start) }
            start = ids.start(after: start)
        }
        table = all
        order = IdOrder()
    }
}
