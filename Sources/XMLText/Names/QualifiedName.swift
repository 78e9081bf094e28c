/// One name as written (`prefix:local`), with what predicts the name that follows it.
struct QualifiedName: BitwiseCopyable {
    /// The first 16 bytes as two words, the rest zero, and masks of the bytes that count: two comparisons tell whether
    /// the text goes on with this name.
    var head: (UInt64, UInt64)
    var mask: (UInt64, UInt64)
    var count: Int
    /// Number of the prefix (0: none) and of the local part among the interned texts.
    var prefix: Int32
    var local: Int32
    /// The number of this name's own text.
    var text: Int32
    /// The two elements that followed this one last, and the two attributes that followed this element or attribute
    /// last, the likelier one first; -1 before there were any.
    var nextElement = Successors()
    var nextAttribute = Successors()
    /// The expanded name in the namespace state where it was looked up last, as an element or a prefixed attribute.
    var cachedState: Int32 = -1
    var cachedName: Int32 = -1
    /// The expanded name as an attribute without prefix: no namespace, whatever the state; -1 before the first use.
    var attributeName: Int32 = -1

    /// Whether the 16 bytes at a place begin with the first 16 bytes of this name.
    @inline(__always)
    func begins(_ bytes: UnsafeRawPointer) -> Bool {
        let first = bytes.loadUnaligned(as: UInt64.self)
        let second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        return ((first & mask.0) ^ head.0) | ((second & mask.1) ^ head.1) == 0
    }
}
