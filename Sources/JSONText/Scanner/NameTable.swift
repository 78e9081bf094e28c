/// A hash table of name indexes with linear probing. Entries are removed in reverse order of insertion, so that probing
/// chains stay intact.
struct NameTable: ~Copyable {
    struct Slot {
        var hash: UInt64 = 0
        /// The index plus one; 0 for an empty slot.
        var nameIndex = 0
    }

    struct Probe {
        fileprivate let hash: UInt64
        fileprivate var slot: Int
    }

    /// Random for each process, so that no text can be constructed whose names collide.
    private static let seed = UInt64.random(in: 0 ... .max)

    private var slots: [Slot] = []
    /// The occupied slots in the order of insertion.
    private var log: [Int] = []

    mutating func insert(_ nameIndex: Int, hash: UInt64) {
        if (log.count + 1) * 2 > slots.count {
            grow()
        }
        put(Slot(hash: hash, nameIndex: nameIndex + 1))
    }

    mutating func removeLast(_ count: Int) {
        for slot in log.suffix(count) {
            slots[slot] = Slot()
        }
        log.removeLast(count)
    }

    mutating func removeAll() { removeLast(log.count) }

    func probe(hash: UInt64) -> Probe { Probe(hash: hash, slot: Int(truncatingIfNeeded: hash) & (slots.count - 1)) }

    /// The next index with the hash of the probe.
    func next(_ probe: inout Probe) -> Int? {
        while slots[probe.slot].nameIndex != 0 {
            let slot = slots[probe.slot]
            probe.slot = (probe.slot + 1) & (slots.count - 1)
            if slot.hash == probe.hash {
                return slot.nameIndex - 1
            }
        }
        return nil
    }

    private mutating func put(_ slot: Slot) {
        var index = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
        while slots[index].nameIndex != 0 {
            index = (index + 1) & (slots.count - 1)
        }
        slots[index] = slot
        log.append(index)
    }

    private mutating func grow() {
        let taken = log.map { slots[$0] }
        slots = Array(repeating: Slot(), count: max(128, slots.count * 2))
        log.removeAll(keepingCapacity: true)
        for slot in taken {
            put(slot)
        }
    }

    /// Hashes the decoded bytes.
    static func hash(_ text: UnsafePointer<UInt8>, _ token: StringToken) -> UInt64 {
        var state = seed
        var bytes = DecodedBytes(text, token)
        while let byte = bytes.next() {
            let product = (state ^ UInt64(byte)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            state = product.low ^ product.high &+ 0xD1B5_4A32_D192_ED03
        }
        return state
    }
}
