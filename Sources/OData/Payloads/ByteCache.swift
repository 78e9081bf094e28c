/// Remembers what byte strings stand for, and which of them came after which: payloads repeat the same names and types in the same order.
///
/// The one that followed last time is compared first, then a table of hashes. At most 512 are kept; others are worked out each time.
struct ByteCache<Value> {
    private struct Entry {
        let bytes: [UInt8]
        let value: Value
        var next: Int
    }

    private static var limit: Int { 512 }
    private static var slotCount: Int { 1_024 }

    private var entries: [Entry] = []
    private var slots: [Int16] = []
    private var last = -1

    /// What the bytes stand for, worked out by the closure where they are not known yet.
    @inline(__always)
    mutating func value(of bytes: UnsafeBufferPointer<UInt8>, _ make: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        if last >= 0 {
            let next = entries[last].next
            if Self.same(entries[next].bytes, bytes) {
                last = next
                return entries[next].value
            }
        }
        return search(bytes, make)
    }

    private mutating func search(_ bytes: UnsafeBufferPointer<UInt8>, _ make: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        if slots.isEmpty { slots = [Int16](repeating: -1, count: Self.slotCount) }
        var slot = Self.slot(of: bytes)
        while slots[slot] >= 0 {
            let at = Int(slots[slot])
            if Self.same(entries[at].bytes, bytes) { return found(at) }
            slot = (slot + 1) % Self.slotCount
        }
        let value = make(bytes)
        guard entries.count < Self.limit else { return value }
        entries.append(Entry(bytes: Array(bytes), value: value, next: entries.count))
        slots[slot] = Int16(entries.count - 1)
        return found(entries.count - 1)
    }

    private mutating func found(_ at: Int) -> Value {
        if last >= 0 { entries[last].next = at }
        last = at
        return entries[at].value
    }

    private static func slot(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int((hash ^ hash >> 15) % UInt32(slotCount))
    }

    @inline(__always)
    private static func same(_ a: [UInt8], _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        for index in 0..<b.count where a[index] != b[index] { return false }
        return true
    }
}
