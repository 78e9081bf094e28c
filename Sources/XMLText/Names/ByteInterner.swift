/// Numbers byte strings in the order of first sight: equal bytes, equal number. Bytes live in one arena; nothing is ever taken out.
///
/// Expected O(length) per look-up. The hash is seeded per process, so that a document cannot be made to collide.
struct ByteInterner {
    private struct Entry {
        var start: Int
        var count: Int
        var hash: UInt64
    }

    private static let seed = UInt64.random(in: .min ... .max) | 1

    private var arena: [UInt8] = []
    private var entries: [Entry] = []
    /// Open addressing, linear probing; -1 is free. Its size is a power of two and at least twice the number of entries.
    private var slots = [Int32](repeating: -1, count: 256)

    var count: Int { entries.count }

    /// The number of these bytes; a new one where they are new.
    mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        let hash = Self.hash(bytes)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, entry.count == bytes.count, matches(entry, bytes) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = Int32(entries.count)
        entries.append(Entry(start: arena.count, count: bytes.count, hash: hash))
        arena.append(contentsOf: bytes)
        slots[slot] = number
        if entries.count * 2 > slots.count { grow() }
        return number
    }

    mutating func intern(_ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { intern($0) }
    }

    /// Runs the closure on the bytes of a number.
    func withBytes<R>(of number: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        let entry = entries[Int(number)]
        return arena.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[entry.start..<entry.start + entry.count])) }
    }

    func text(of number: Int32) -> String {
        withBytes(of: number) { String(decoding: $0, as: UTF8.self) }
    }

    private func matches(_ entry: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in 0..<entry.count where arena[entry.start + index] != bytes[index] { return false }
        return true
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (number, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number)
        }
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 &+ seed }
        return hash ^ (hash >> 29)
    }
}
