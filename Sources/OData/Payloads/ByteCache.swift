import StepCounting

/// Caches a value for each byte string. Payloads repeat the same names and types in the same order, so the cache also
/// remembers which string followed which.
///
/// A lookup first compares the string that followed the last time, then uses a hash table. The cache keeps at most 512
/// strings.
struct ByteCache<Value> {
    private struct Entry: BitwiseCopyable {
        let start: Int
        let count: Int
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

    /// The index of the value of the bytes; nil if they are not in the cache.
    @inline(__always)
    mutating func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        StepCounter.add()
        if last >= 0 {
            let next = entries[last].next
            if isSame(next, bytes) {
                last = next
                return next
            }
        }
        return search(bytes)
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

    /// Adds a value for bytes that are not in the cache, unless the cache is full.
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

    /// A hash of the length and the first and last eight bytes. It has a random seed, so that no payload can be
    /// constructed to collide.
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

    /// Whether the value at an index belongs to these bytes.
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
                for offset in 0..<count
                where known.load(fromByteOffset: offset, as: UInt8.self)
                    != second.load(fromByteOffset: offset, as: UInt8.self)
                {
                    return false
                }
                return true
            }
            func isSame(at offset: Int) -> Bool {
                known.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    == second.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
            var offset = 0
            while offset + 8 < count {
                guard isSame(at: offset) else { return false }
                offset += 8
            }
            // The last eight bytes overlap with those before them.
            return isSame(at: count - 8)
        }
    }
}

private let byteCacheSeed = UInt64.random(in: 0 ... .max)
