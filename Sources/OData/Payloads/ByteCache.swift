/// Remembers what byte strings stand for, and which of them came after which: payloads repeat the same names and types
/// in the same order.
///
/// The one that followed last time is compared first, then a table of hashes. At most 512 are kept; others are worked
/// out each time.
struct ByteCache<Value> {
    private struct Entry: BitwiseCopyable {
        let start: Int
        let count: Int
        /// The one that came after this one last.
        var next: Int
    }

    private static var limit: Int { 512 }
    private static var slotCount: Int { 1_024 }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private(set) var values: [Value] = []
    private var slots: [Int16] = []
    private var last = -1

    /// The index among the values of what the bytes stand for; nil where that is not remembered.
    @inline(__always)
    mutating func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        if last >= 0 {
            let next = entries[last].next
            if isSame(next, bytes) {
                last = next
                return next
            }
        }
        return search(bytes)
    }

    /// What the bytes stand for, worked out by the closure where they are not remembered.
    @inline(__always)
    mutating func value(of bytes: UnsafeBufferPointer<UInt8>, _ make: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        if let index = index(of: bytes) {
            return values[index]
        }
        let value = make(bytes)
        remember(bytes, value)
        return value
    }

    /// Keeps what the bytes stand for, where there is room; they must not be among the remembered ones.
    mutating func remember(_ bytes: UnsafeBufferPointer<UInt8>, _ value: Value) {
        guard entries.count < Self.limit else { return }
        if slots.isEmpty {
            slots = [Int16](repeating: -1, count: Self.slotCount)
        }
        var slot = Self.slot(of: bytes)
        while slots[slot] >= 0 {
            slot = (slot + 1) % Self.slotCount
        }
        slots[slot] = Int16(entries.count)
        entries.append(Entry(start: self.bytes.count, count: bytes.count, next: entries.count))
        values.append(value)
        self.bytes.append(contentsOf: bytes)
        found(entries.count - 1)
    }

    private mutating func search(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !slots.isEmpty else { return nil }
        var slot = Self.slot(of: bytes)
        while slots[slot] >= 0 {
            let at = Int(slots[slot])
            if isSame(at, bytes) {
                found(at)
                return at
            }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    private mutating func found(_ at: Int) {
        if last >= 0 {
            entries[last].next = at
        }
        last = at
    }

    /// Made of the length and of the first and last eight bytes; with a seed, so that no body can be made to collide.
    @inline(__always)
    private static func slot(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var first: UInt64 = 0
        var last: UInt64 = 0
        if bytes.count >= 8 {
            let raw = UnsafeRawBufferPointer(bytes)
            first = raw.loadUnaligned(as: UInt64.self)
            last = raw.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } else {
            for byte in bytes {
                first = first << 8 | UInt64(byte)
            }
        }
        let product = (first ^ byteCacheSeed ^ UInt64(bytes.count)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let mixed = (product.high ^ product.low ^ last) &* 0xD6E8_FEB8_6659_FD93
        return Int(mixed >> 54)
    }

    /// Whether the value at an index is that of these bytes.
    @inline(__always)
    func isSame(_ index: Int, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = entries[index]
        guard entry.count == other.count else { return false }
        return bytes.withUnsafeBytes { known in
            guard let first = known.baseAddress, let second = UnsafeRawPointer(other.baseAddress) else {
                return entry.count == 0
            }
            let known = first + entry.start
            let count = entry.count
            guard count >= 8 else {
                for place in 0..<count
                where known.load(fromByteOffset: place, as: UInt8.self)
                    != second.load(fromByteOffset: place, as: UInt8.self)
                {
                    return false
                }
                return true
            }
            func isSame(at place: Int) -> Bool {
                known.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == second.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            }
            var place = 0
            while place + 8 < count {
                guard isSame(at: place) else { return false }
                place += 8
            }
            // The last eight bytes overlap with those before them.
            return isSame(at: count - 8)
        }
    }
}

private let byteCacheSeed = UInt64.random(in: 0 ... .max)
