import Soups

/// Many sort keys. The bytes of texts are in one block of memory, so that comparing two of them looks at nothing else.
package struct SortKeyList {
    private enum Slot {
        case text(start: Int, count: Int)
        case other(SortKey)
    }

    private var slots: [Slot] = []
    private var texts: [UInt8] = []

    package init() {}

    package var count: Int { slots.count }

    mutating func reserveCapacity(_ count: Int) { slots.reserveCapacity(count) }

    package mutating func append(_ key: SortKey) {
        guard case .text(let text) = key else {
            slots.append(.other(key))
            return
        }
        let start = texts.count
        texts.append(contentsOf: text.text.utf8)
        slots.append(.text(start: start, count: texts.count - start))
    }

    package subscript(_ index: Int) -> SortKey {
        switch slots[index] {
        case .text(let start, let count):
            .text(ByteKey(String(decoding: texts[start..<start + count], as: UTF8.self)))
        case .other(let key): key
        }
    }

    /// Lends a function that compares two keys as `SortKey.order` does.
    package func withOrder<R>(_ body: ((Int, Int) -> Int) throws -> R) rethrows -> R {
        try slots.withUnsafeBufferPointer { slots in
            try texts.withUnsafeBytes { texts in
                try body { Self.order(slots[$0], slots[$1], texts) }
            }
        }
    }

    @inline(__always)
    private static func order(_ a: Slot, _ b: Slot, _ texts: UnsafeRawBufferPointer) -> Int {
        switch (a, b) {
        case (.text(let x, let xCount), .text(let y, let yCount)):
            return order(texts, x, xCount, y, yCount)
        case (.other(let x), .other(let y)): return SortKey.order(x, y)
        case (.text, .other(let y)): return SortKey.order(.text(ByteKey("")), y)
        case (.other(let x), .text): return SortKey.order(x, .text(ByteKey("")))
        }
    }

    /// Compares two texts byte by byte, which is the order of their Unicode scalars.
    private static func order(_ texts: UnsafeRawBufferPointer, _ x: Int, _ xCount: Int, _ y: Int, _ yCount: Int) -> Int
    {
        let common = min(xCount, yCount)
        var offset = 0
        while offset &+ 8 <= common {
            let a = texts.loadUnaligned(fromByteOffset: x &+ offset, as: UInt64.self)
            let b = texts.loadUnaligned(fromByteOffset: y &+ offset, as: UInt64.self)
            if a != b {
                return a.byteSwapped < b.byteSwapped ? -1 : 1
            }
            offset &+= 8
        }
        while offset < common {
            let (a, b) = (texts[x &+ offset], texts[y &+ offset])
            if a != b {
                return a < b ? -1 : 1
            }
            offset &+= 1
        }
        return xCount - yCount
    }
}
