/// A buffer of bitwise copyable values whose address changes only when it grows: for open elements, attributes, names
/// and rewritten text.
///
/// It is not an array, so that tokens are read without bounds and uniqueness checks and slices are returned without a
/// closure. All indexes come from the code of this module, never from a document. The buffer owns its memory.
struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    @inline(__always) var isEmpty: Bool { count == 0 }

    @inline(__always) mutating func append(_ element: Element) {
        if count == capacity {
            grow(to: count + 1)
        }
        (base + count).initialize(to: element)
        count &+= 1
    }

    @inline(__always) mutating func removeLast() -> Element {
        count &-= 1
        return base[count]
    }

    @inline(__always) mutating func removeAll() { count = 0 }

    mutating func append(_ slice: UnsafeBufferPointer<Element>) {
        guard let start = slice.baseAddress, !slice.isEmpty else { return }
        if count + slice.count > capacity {
            grow(to: count + slice.count)
        }
        (base + count).update(from: start, count: slice.count)
        count += slice.count
    }

    @inline(never) private mutating func grow(to needed: Int) {
        capacity = max(needed, 2 * capacity)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }
}

extension PlainBuffer<UInt8> {
    mutating func append(scalar: UInt32) { UTF8Sequence.encode(scalar) { append($0) } }
}
