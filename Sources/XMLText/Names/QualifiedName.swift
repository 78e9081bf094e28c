/// A name as written (`prefix:local`), with predictions of the names that follow it.
struct QualifiedName: BitwiseCopyable {
    /// The first 16 bytes as two words, padded with zeros, and masks of the bytes that are used. With them two
    /// comparisons decide whether the text continues with this name.
    var head: (UInt64, UInt64)
    var mask: (UInt64, UInt64)
    var count: Int
    /// The number of the prefix among the interned texts; 0 for no prefix.
    var prefix: Int32
    var local: Int32
    /// The number of this name's own text.
    var text: Int32
    /// The two elements that followed this one most recently, the more likely one first; -1 for none. `nextAttribute`
    /// has the two attributes that followed this element or attribute.
    var nextElement = Successors()
    var nextAttribute = Successors()
    /// The namespace state of the last lookup as an element or prefixed attribute, whose result is cached.
    var cachedState: Int32 = -1
    var cachedName: Int32 = -1
    /// The expanded name as an attribute without prefix, which has no namespace in any state; -1 before the first use.
    var attributeName: Int32 = -1

    /// Whether the 16 bytes at an address start with the first 16 bytes of this name.
    @inline(__always)
    func begins(_ bytes: UnsafeRawPointer) -> Bool {
        let first = bytes.loadUnaligned(as: UInt64.self)
        let second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        return ((first & mask.0) ^ head.0) | ((second & mask.1) ^ head.1) == 0
    }
}
