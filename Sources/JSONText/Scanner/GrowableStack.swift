/// A stack of bitwise copyable values that keeps its memory from one use to the next.
///
/// It is not an array, so that hot loops can push and read without bounds and uniqueness checks, with the address in a
/// register. All indexes come from the code of this module, never from a text.
struct GrowableStack<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    @inline(__always) mutating func append(_ element: Element) {
        if count == capacity {
            grow()
        }
        (base + count).initialize(to: element)
        count &+= 1
    }

    @inline(__always) mutating func removeLast() -> Element {
        count &-= 1
        return base[count]
    }

    @inline(__always) mutating func shrink(to newCount: Int) { count = newCount }

    @inline(__always) subscript(index: Int) -> Element {
        get { base[index] }
        nonmutating set { base[index] = newValue }
    }

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
