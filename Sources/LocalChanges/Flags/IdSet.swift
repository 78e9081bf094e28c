package import Soups

/// A set of ids, kept packed: about 30 bytes for an id of 18, so that a million of them take little memory.
package struct IdSet: Sendable {
    /// The most bytes of all ids together.
    static let greatestSize = 1 << 30

    /// Creates an empty set.
    package init() {}

    /// Pieces of the ids' bytes, each of a mebibyte: before each id its length in two bytes. No id is cut.
    private var pieces: [[UInt8]] = []
    /// At the places of the ids' hashes, where an id begins, counted over pieces of equal length.
    private var starts: [UInt32] = Array(repeating: 0, count: Self.leastPlaces)
    /// For each place a few bits of the hash, which differ for most other ids; 0 where the place is free. They are few
    /// enough to stay in the cache of the processor.
    private var marks: [UInt8] = Array(repeating: 0, count: Self.leastPlaces)
    /// The number of ids in the pieces.
    private var packed = 0
    /// The ids that are too long for a piece. No service is known to have any.
    private var longIds: Set<ByteKey> = []
    /// The bytes of all ids.
    package private(set) var size = 0

    private static let pieceBits: UInt32 = 20
    private static let pieceLength = 1 << 20
    private static let leastPlaces = 16

    /// The number of ids.
    package var count: Int { packed + longIds.count }

    /// Adds an id; one that is there already is ignored.
    ///
    /// - Throws: `limitExceeded` if all ids together would be longer than 1 GiB.
    package mutating func insert(_ id: String) throws(Fault) {
        var id = id
        let length = id.utf8.count
        guard size + length <= Self.greatestSize else {
            throw Fault(.limitExceeded, "the ids of the service have more than \(Self.greatestSize) bytes in all")
        }
        let before = count
        if length <= Int(UInt16.max) {
            id.withUTF8 { insert(UnsafeRawBufferPointer($0)) }
        } else {
            longIds.insert(ByteKey(id))
        }
        size += count > before ? length : 0
    }

    package func contains(_ id: String) -> Bool {
        var id = id
        return id.withUTF8 { contains(UnsafeRawBufferPointer($0)) }
    }

    /// Whether an id with these bytes in UTF-8 was added.
    package func contains(_ id: UnsafeRawBufferPointer) -> Bool {
        guard id.count <= Int(UInt16.max) else {
            return longIds.contains(ByteKey(String(decoding: id, as: UTF8.self)))
        }
        return find(id, Self.hash(id)).isThere
    }

    private mutating func insert(_ id: UnsafeRawBufferPointer) {
        let hash = Self.hash(id)
        let (place, isThere) = find(id, hash)
        guard !isThere else { return }
        if pieces.isEmpty || pieces[pieces.count - 1].count + Self.lengthSize + id.count > Self.pieceLength {
            pieces.append([])
            // A set of a few ids stays small.
            if pieces.count > 1 {
                pieces[pieces.count - 1].reserveCapacity(Self.pieceLength)
            }
        }
        let piece = pieces.count - 1
        starts[place] = UInt32(piece) << Self.pieceBits | UInt32(pieces[piece].count)
        marks[place] = Self.mark(hash)
        pieces[piece].append(UInt8(truncatingIfNeeded: id.count))
        pieces[piece].append(UInt8(truncatingIfNeeded: id.count >> 8))
        pieces[piece].append(contentsOf: id)
        packed += 1
        if packed * 3 > marks.count * 2 {
            grow()
        }
    }

    /// The place of an id, or the free one where it would be.
    private func find(_ id: UnsafeRawBufferPointer, _ hash: Int) -> (place: Int, isThere: Bool) {
        let mark = Self.mark(hash)
        var place = hash & (marks.count - 1)
        while marks[place] != 0 {
            if marks[place] == mark, isEqual(starts[place], id) {
                return (place, true)
            }
            place = (place + 1) & (marks.count - 1)
        }
        return (place, false)
    }

    private func isEqual(_ start: UInt32, _ id: UnsafeRawBufferPointer) -> Bool {
        pieces[Int(start >> Self.pieceBits)].withUnsafeBytes { piece in
            Self.id(at: Int(start) & (Self.pieceLength - 1), of: piece).hasSameBytes(as: id)
        }
    }

    /// The id that begins at an offset of a piece.
    private static func id(at offset: Int, of piece: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let length = Int(piece[offset]) | Int(piece[offset + 1]) << 8
        let start = offset + lengthSize
        return UnsafeRawBufferPointer(rebasing: piece[start..<start + length])
    }

    private mutating func grow() {
        let count = marks.count * 2
        // The old places are let go before there are new ones.
        starts = []
        marks = []
        starts = Array(repeating: 0, count: count)
        marks = Array(repeating: 0, count: count)
        for (number, piece) in pieces.enumerated() {
            piece.withUnsafeBytes { bytes in
                var offset = 0
                while offset < bytes.count {
                    let id = Self.id(at: offset, of: bytes)
                    enter(Self.hash(id), UInt32(number) << Self.pieceBits | UInt32(offset))
                    offset += Self.lengthSize + id.count
                }
            }
        }
    }

    /// Enters where an id begins that no place has.
    private mutating func enter(_ hash: Int, _ start: UInt32) {
        var place = hash & (marks.count - 1)
        while marks[place] != 0 {
            place = (place + 1) & (marks.count - 1)
        }
        starts[place] = start
        marks[place] = Self.mark(hash)
    }

    private static func hash(_ id: UnsafeRawBufferPointer) -> Int {
        // Seeded for each process, so that no service can choose ids that collide.
        var hasher = Hasher()
        hasher.combine(bytes: id)
        return hasher.finalize() & Int.max
    }

    /// The highest bits of a hash, which no place depends on; never 0.
    private static func mark(_ hash: Int) -> UInt8 { max(UInt8(truncatingIfNeeded: hash >> 55), 1) }

    /// The bytes of a length.
    private static let lengthSize = 2
}

extension UnsafeRawBufferPointer {
    /// Compares eight bytes at a time, the last of them first, because ids of one type begin with the same text.
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var end = count
        while end >= 8 {
            end -= 8
            guard
                loadUnaligned(fromByteOffset: end, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: end, as: UInt64.self)
            else { return false }
        }
        while end > 0 {
            end -= 1
            guard self[end] == other[end] else { return false }
        }
        return true
    }
}
