/// Remembers the member names of the outermost object of an earlier document.
///
/// The entries of a soup mostly have the same names in the same order. A name that is the next known one needs a few
/// loads only: it is compared together with its quotes and its colon, and all names up to it are those of a document
/// that was checked before, so they differ from each other.
struct KnownNames: ~Copyable {
    struct Name: BitwiseCopyable {
        /// The offset of its bytes, from the first quote to the colon.
        let start: Int
        let length: Int
        /// The node of the trie that the name leads to, or -1.
        let node: Int32
    }

    /// More names, or longer ones, are not remembered. It bounds the memory, and what a document with other names is
    /// compared with in vain.
    private static let nameLimit = 64
    private static let lengthLimit = 64
    /// Documents that are passed over at most, before names are remembered again.
    private static let longestPause = 15

    private var bytes = GrowableStack<UInt8>(capacity: 256)
    private var names = GrowableStack<Name>(capacity: 16)
    /// How many documents to pass over after the next one whose names differ, and how many were.
    private var pause = 0
    private var passedOver = 0

    @inline(__always) var count: Int { names.count }

    @inline(__always) subscript(index: Int) -> Name { names[index] }

    /// The end of the known name with an index if it is what the text has from `start`, otherwise -1.
    @inline(__always) func end(
        of index: Int, in text: UnsafePointer<UInt8>, from start: Int, limit: Int
    ) -> Int {
        let name = names[index]
        let end = start &+ name.length
        guard end <= limit else {
            return -1
        }
        return SameBytes.compare(bytes.base + name.start, text + start, name.length) ? end : -1
    }

    /// Notes that a document had the known names.
    @inline(__always) mutating func noteSame() { pause = 0 }

    /// Whether the names of a document that differs should be remembered. Where each document has other names,
    /// remembering costs more than it saves.
    mutating func wantsOthers() -> Bool {
        guard passedOver >= pause else {
            passedOver += 1
            return false
        }
        passedOver = 0
        pause = min(2 * pause + 1, Self.longestPause)
        return true
    }

    mutating func removeAll() {
        bytes.shrink(to: 0)
        names.shrink(to: 0)
    }

    /// Adds a name without escapes, between its quotes. Returns false if it is not remembered: names are remembered in
    /// order, so the ones after it must not be added.
    mutating func append(_ token: StringToken, node: Int32, in text: UnsafePointer<UInt8>) -> Bool {
        guard !token.isEscaped, token.end - token.start <= Self.lengthLimit, names.count < Self.nameLimit else {
            return false
        }
        let start = bytes.count
        bytes.append(0x22)
        for offset in token.start..<token.end {
            bytes.append(text[offset])
        }
        bytes.append(0x22)
        bytes.append(0x3A)
        names.append(Name(start: start, length: bytes.count - start, node: node))
        return true
    }
}
