package import Soups

/// A set of ids, kept packed: 31 to 41 bytes for an id of 18, so that a million of them take little memory.
package struct IdSet: Sendable {
    /// The most bytes of all ids together.
    static let greatestSize = 1 << 30

    /// Creates an empty set.
    package init() {}

    /// Pieces of the ids' bytes, each of a mebibyte: before each id its length in two bytes. No id is cut.
    private var pieces: [[UInt8]] = []
    /// At the slots of the ids' hashes, a hash and where its id begins; 0 where the slot is free. With the hash at
    /// hand most other ids are excluded, and the table grows, without reading the ids.
    private var slots: [UInt64] = Array(repeating: 0, count: Self.leastSlots)
    /// The number of ids in the pieces.
    private var packed = 0
    /// The ids that are too long for a piece. No service is known to have any.
    private var longIds: Set<ByteKey> = []
    /// The bytes of all ids.
    package private(set) var size = 0

    private static let pieceBits: UInt32 = 20
    private static let pieceLength = 1 << 20
    private static let leastSlots = 16

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
        if Self.isPacked(length) {
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
        guard Self.isPacked(id.count) else {
            return longIds.contains(ByteKey(String(decoding: id, as: UTF8.self)))
        }
        return start(of: id) != nil
    }

    /// Whether an id of a length is in the pieces, if it is there at all.
    static func isPacked(_ length: Int) -> Bool { length <= Int(UInt16.max) }

    /// Where an id begins in the pieces; nil if it is not there.
    func start(of id: UnsafeRawBufferPointer) -> UInt32? {
        let (slot, isThere) = find(id, Self.hashes.hash(id))
        return isThere ? UInt32(truncatingIfNeeded: slots[slot]) : nil
    }

    /// Whether an id with these bytes begins at a position, which is 0 or one that `start(after:length:)` has given.
    func hasId(_ id: UnsafeRawBufferPointer, at start: UInt32) -> Bool {
        let piece = Int(start >> Self.pieceBits)
        guard piece < pieces.count, Int(start) & (Self.pieceLength - 1) < pieces[piece].count else { return false }
        return isEqual(start, id)
    }

    /// The position after an id of a length, where the next id begins if there is one.
    func start(after start: UInt32, length: Int) -> UInt32 {
        let piece = start >> Self.pieceBits
        let end = start + UInt32(Self.lengthSize + length)
        let isLast = Int(end & UInt32(Self.pieceLength - 1)) == pieces[Int(piece)].count
        return isLast ? (piece + 1) << Self.pieceBits : end
    }

    private mutating func insert(_ id: UnsafeRawBufferPointer) {
        let hash = Self.hashes.hash(id)
        let (slot, isThere) = find(id, hash)
        guard !isThere else { return }
        if pieces.isEmpty || pieces[pieces.count - 1].count + Self.lengthSize + id.count > Self.pieceLength {
            pieces.append([])
            // A set of a few ids stays small.
            if pieces.count > 1 {
                pieces[pieces.count - 1].reserveCapacity(Self.pieceLength)
            }
        }
        let piece = pieces.count - 1
        let start = UInt32(piece) << Self.pieceBits | UInt32(pieces[piece].count)
        slots[slot] = UInt64(hash) << 32 | UInt64(start)
        pieces[piece].append(UInt8(truncatingIfNeeded: id.count))
        pieces[piece].append(UInt8(truncatingIfNeeded: id.count >> 8))
        pieces[piece].append(contentsOf: id)
        packed += 1
        if packed * 4 > slots.count * 3 {
            grow()
        }
    }

    /// The slot of an id, or the free one where it would be.
    private func find(_ id: UnsafeRawBufferPointer, _ hash: UInt32) -> (slot: Int, isThere: Bool) {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            if slots[slot] >> 32 == hash, isEqual(UInt32(truncatingIfNeeded: slots[slot]), id) {
                return (slot, true)
            }
            slot = (slot + 1) & mask
        }
        return (slot, false)
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
        let mask = slots.count * 2 - 1
        var wider = [UInt64](repeating: 0, count: mask + 1)
        for entry in slots where entry != 0 {
            var slot = Int(entry >> 32) & mask
            while wider[slot] != 0 {
                slot = (slot + 1) & mask
            }
            wider[slot] = entry
        }
        slots = wider
    }

    private static let hashes = IdHash()

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
