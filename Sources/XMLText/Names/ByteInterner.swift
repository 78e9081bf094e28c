import StepCounting

/// Assigns consecutive numbers to byte strings; equal bytes have equal numbers. All bytes are in one buffer, and
/// nothing is ever removed.
///
/// A lookup takes O(n) in the length of the bytes. The hash has a random seed for each process, so that no document can
/// be constructed to collide.
struct ByteInterner: ~Copyable {
    struct Entry: BitwiseCopyable {
        var start: Int
        var count: Int
        var hash: UInt64
    }

    private static let processSeed = UInt64.random(in: .min ... .max) | 1
    /// A copy of the seed of the process: the original is created on first use, which each access would check.
    private let seed = processSeed

    private var arena = PlainBuffer<UInt8>(capacity: 4_096)
    private var entries = PlainBuffer<Entry>(capacity: 128)
    /// A hash table with linear probing; -1 for a free slot. Its size is a power of two and at least twice the number
    /// of entries.
    private var slots = [Int32](repeating: -1, count: 256)

    var count: Int { entries.count }

    /// The number of these bytes. New bytes get a new number.
    mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        let hash = hash(bytes)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        StepCounter.add(1 + bytes.count >> 3)
        while slots[slot] >= 0 {
            StepCounter.add()
            let entry = entries.base[Int(slots[slot])]
            if entry.hash == hash, entry.count == bytes.count, matches(entry, bytes) {
                return slots[slot]
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = Int32(entries.count)
        entries.append(Entry(start: arena.count, count: bytes.count, hash: hash))
        arena.append(bytes)
        slots[slot] = number
        if entries.count * 2 > slots.count {
            grow()
        }
        return number
    }

    /// The number of the bytes of a value, which must have no padding.
    mutating func intern<Value: BitwiseCopyable>(bytesOf value: Value) -> Int32 {
        withUnsafeBytes(of: value) { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { intern($0) }
        }
    }

    mutating func intern(_ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { intern($0) }
    }

    /// The bytes of a number, valid until the next new one.
    func bytes(of number: Int32) -> UnsafeBufferPointer<UInt8> {
        let entry = entries.base[Int(number)]
        return UnsafeBufferPointer(start: UnsafePointer(arena.base + entry.start), count: entry.count)
    }

    func text(of number: Int32) -> String { String(decoding: bytes(of: number), as: UTF8.self) }

    /// Whether the bytes of a number, from an index on, equal those at this address.
    func matches(_ number: Int32, from start: Int, _ bytes: UnsafePointer<UInt8>) -> Bool {
        let known = self.bytes(of: number)
        for index in start..<known.count where known[index] != bytes[index - start] {
            return false
        }
        return true
    }

    private func matches(_ entry: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let known = arena.base + entry.start
        for index in 0..<entry.count where known[index] != bytes[index] {
            return false
        }
        return true
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for number in 0..<entries.count {
            var slot = Int(truncatingIfNeeded: entries.base[number].hash) & (slots.count - 1)
            while slots[slot] >= 0 {
                slot = (slot + 1) & (slots.count - 1)
            }
            slots[slot] = Int32(number)
        }
    }

    /// Hashes eight bytes at a time. The last eight overlap with those before them.
    private func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        @inline(__always) func mix(_ word: UInt64) {
            let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.high ^ product.low
        }
        guard bytes.count >= 8 else {
            var word: UInt64 = 0
            for byte in bytes {
                word = word << 8 | UInt64(byte)
            }
            mix(word)
            return hash
        }
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        while offset + 8 < bytes.count {
            mix(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        mix(raw.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
        return hash
    }
}
