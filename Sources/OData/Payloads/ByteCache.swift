import StepCounting

/// Caches a value for each byte string. Payloads repeat the same names and types in the same order, so the cache also
/// remembers which string followed which.
///
/// A lookup first compares the string that followed the last time, then uses a hash table. The cache keeps at most 512
/// strings.
struct ByteCache<Value> {
    /// The length and the ends of a byte string. For up to sixteen bytes they are the whole string, so that one
    /// comparison of three numbers decides.
    private struct Outline: BitwiseCopyable {
        let count: Int
        /// The first eight bytes, or all of a shorter string.
        let first: UInt64
        /// The last eight bytes; 0 for a shorter string.
        let last: UInt64

        @inline(__always)
        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            count = bytes.count
            let raw = UnsafeRawBufferPointer(bytes)
            if count >= 8 {
                first = raw.loadUnaligned(as: UInt64.self)
                last = raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            } else if count >= 4 {
                let head = raw.loadUnaligned(as: UInt32.self)
                let tail = raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
                first = UInt64(head) << 32 | UInt64(tail)
                last = 0
            } else {
                var word: UInt64 = 0
                for byte in bytes {
                    word = word << 8 | UInt64(byte)
                }
                first = word
                last = 0
            }
        }

        @inline(__always)
        func equals(_ other: Outline) -> Bool { count == other.count && first == other.first && last == other.last }
    }

    private struct Entry: BitwiseCopyable {
        let outline: Outline
        /// The index in `bytes` at which the string starts.
        let start: Int
        /// The index of the string that followed this one the last time.
        var next: Int
    }

    private static var limit: Int { 512 }
    private static var slotCount: Int { 1_024 }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private(set) var values: [Value] = []
    private var slots: [Int16] = []
    private var last = -1
    /// A copy of the seed of all caches: the original is created on first use, which each access would check.
    private let seed = byteCacheSeed

    /// The index of the value of the bytes; nil if they are not in the cache.
    @inline(__always)
    mutating func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        StepCounter.add()
        let outline = Outline(bytes)
        if last >= 0 {
            let next = entries[last].next
            if isSame(next, outline, bytes) {
                last = next
                return next
            }
        }
        return search(outline, bytes)
    }

    /// The value of the bytes, computed by the closure if they are not in the cache.
    @inline(__always)
    mutating func value(of bytes: UnsafeBufferPointer<UInt8>, _ make: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        if let index = index(of: bytes) {
            return values[index]
        }
        let value = make(bytes)
        remember(bytes, value)
        return value
    }

    /// Whether the cache takes no more strings.
    var isFull: Bool { entries.count >= Self.limit }

    /// Adds a value for bytes that are not in the cache, unless the cache is full.
    mutating func remember(_ bytes: UnsafeBufferPointer<UInt8>, _ value: Value) {
        guard !isFull else { return }
        if slots.isEmpty {
            slots = [Int16](repeating: -1, count: Self.slotCount)
        }
        let outline = Outline(bytes)
        var slot = slot(of: outline)
        while slots[slot] >= 0 {
            slot = (slot + 1) % Self.slotCount
        }
        slots[slot] = Int16(entries.count)
        entries.append(Entry(outline: outline, start: self.bytes.count, next: entries.count))
        values.append(value)
        self.bytes.append(contentsOf: bytes)
        found(entries.count - 1)
    }

    private mutating func search(_ outline: Outline, _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !slots.isEmpty else { return nil }
        var slot = slot(of: outline)
        while slots[slot] >= 0 {
            let at = Int(slots[slot])
            if isSame(at, outline, bytes) {
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

    /// A hash of the length and the ends. It has a random seed, so that no payload can be constructed to collide,
    /// except with strings of more than sixteen bytes that differ only between the ends; of those a search compares at
    /// most 512.
    @inline(__always)
    private func slot(of outline: Outline) -> Int {
        let product = (outline.first ^ seed ^ UInt64(outline.count)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let mixed = (product.high ^ product.low ^ outline.last) &* 0xD6E8_FEB8_6659_FD93
        return Int(mixed >> 54)
    }

    /// Whether the value at an index belongs to these bytes.
    @inline(__always)
    func isSame(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool { isSame(index, Outline(bytes), bytes) }

    @inline(__always)
    private func isSame(_ index: Int, _ outline: Outline, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = entries[index]
        guard entry.outline.equals(outline) else { return false }
        return outline.count <= 16 || isSameInside(entry.start, bytes)
    }

    /// Whether the bytes between the first and the last eight are the same, for strings of equal length and ends.
    private func isSameInside(_ start: Int, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBytes { known in
            let other = UnsafeRawBufferPointer(other)
            return stride(from: 8, to: other.count - 8, by: 8).allSatisfy { offset in
                known.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
        }
    }
}

private let byteCacheSeed = UInt64.random(in: 0 ... .max)
