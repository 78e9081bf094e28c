/// Remembers the member names of the outermost object of an earlier document.
///
/// The entries of a soup mostly have the same names in the same order. A name that is the next known one needs a few
/// loads only: it is compared together with its quotes and its colon, and all names up to it are those of a document
/// that was checked before, so none of them is a duplicate.
struct KnownNames: ~Copyable {
    struct Name: BitwiseCopyable {
        /// The offset of its bytes, from the first quote to the colon.
        let start: Int
        let length: Int
        /// The node of the trie that the name leads to, or -1.
        let node: Int32
    }

    /// More names, or longer ones, are not remembered: comparing them would save little.
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
        let known = UnsafeRawPointer(bytes.base + name.start)
        let found = UnsafeRawPointer(text + start)
        guard name.length >= 8 else {
            return Self.isSame(known, found, name.length) ? end : -1
        }
        // The last eight bytes overlap the ones before.
        let last = name.length &- 8
        var offset = 0
        var differences: UInt64 = 0
        while offset < last {
            differences |= Self.eight(known, offset) ^ Self.eight(found, offset)
            offset &+= 8
        }
        differences |= Self.eight(known, last) ^ Self.eight(found, last)
        return differences == 0 ? end : -1
    }

    @inline(__always) private static func eight(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        (bytes + offset).loadUnaligned(as: UInt64.self)
    }

    /// For names of at most four bytes, with their quotes and colon.
    @inline(__always) private static func isSame(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
        for offset in 0..<count
        where a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) {
            return false
        }
        return true
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

    /// Adds a name without escapes, between its quotes. Returns false if it is not remembered: then none after it may be.
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
