/// A hash table of packed ids that were added in any order.
struct IdTable: Sendable {
    /// At the slots of the ids' hashes, a hash and where its id begins; 0 where the slot is free. With the hash at
    /// hand most other ids are excluded, and the table grows, without reading the ids.
    private var slots: [UInt64]
    private var count = 0

    private static let leastSlots = 16
    private static let hashes = IdHash()

    /// Creates a table with room for a number of ids.
    init(capacity: Int) {
        var size = Self.leastSlots
        while Self.isFull(capacity, of: size) {
            size *= 2
        }
        slots = Array(repeating: 0, count: size)
    }

    /// Where an id begins; nil if it is not there.
    func start(of id: UnsafeRawBufferPointer, in ids: PackedIds) -> UInt32? {
        let (slot, isThere) = find(id, Self.hashes.hash(id), in: ids)
        return isThere ? UInt32(truncatingIfNeeded: slots[slot]) : nil
    }

    /// Adds an id, and lets the caller pack it, unless it is there already.
    mutating func insert(_ id: UnsafeRawBufferPointer, into ids: inout PackedIds) -> Bool {
        let hash = Self.hashes.hash(id)
        let (slot, isThere) = find(id, hash, in: ids)
        guard !isThere else { return false }
        slots[slot] = UInt64(hash) << 32 | UInt64(ids.append(id))
        count += 1
        if Self.isFull(count, of: slots.count) {
            grow()
        }
        return true
    }

    /// Adds a packed id that is not in the table.
    mutating func note(_ id: UnsafeRawBufferPointer, at start: UInt32) {
        let hash = Self.hashes.hash(id)
        slots[Self.freeSlot(hash, in: slots)] = UInt64(hash) << 32 | UInt64(start)
        count += 1
    }

    /// The slot of an id, or the free one where it would be.
    private func find(_ id: UnsafeRawBufferPointer, _ hash: UInt32, in ids: PackedIds) -> (slot: Int, isThere: Bool) {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let start = UInt32(truncatingIfNeeded: slots[slot])
            if slots[slot] >> 32 == hash, ids.withId(at: start, { $0.hasSameBytes(as: id) }) {
                return (slot, true)
            }
            slot = (slot + 1) & mask
        }
        return (slot, false)
    }

    private mutating func grow() {
        var wider = [UInt64](repeating: 0, count: slots.count * 2)
        for entry in slots where entry != 0 {
            wider[Self.freeSlot(UInt32(truncatingIfNeeded: entry >> 32), in: wider)] = entry
        }
        slots = wider
    }

    private static func freeSlot(_ hash: UInt32, in slots: [UInt64]) -> Int {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            slot = (slot + 1) & mask
        }
        return slot
    }

    private static func isFull(_ count: Int, of slots: Int) -> Bool { count * 4 > slots * 3 }
}
