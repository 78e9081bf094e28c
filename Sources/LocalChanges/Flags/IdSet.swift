package import Soups

/// A set of ids, kept packed: about 30 bytes for an id of 18, so that a million of them take little memory.
package struct IdSet: Sendable {
    /// The most bytes of all ids together.
    static let greatestSize = 1 << 30

    /// Creates an empty set.
    package init() {}

    /// Pieces of the ids' bytes, each of a mebibyte; no id is cut.
    private var pieces: [[UInt8]] = []
    /// Where each id begins, counted over pieces of equal length.
    private var starts: [UInt32] = []
    private var lengths: [UInt16] = []
    /// Numbers of ids plus 1 at the places of their hashes; 0 is free.
    private var places: [UInt32] = Array(repeating: 0, count: 16)
    /// The ids that are too long for a piece. No service is known to have any.
    private var longIds: Set<ByteKey> = []
    /// The bytes of all ids.
    package private(set) var size = 0

    private static let pieceBits: UInt32 = 20
    private static let pieceLength = 1 << 20

    /// The number of ids.
    package var count: Int { starts.count + longIds.count }

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
        return find(id).isThere
    }

    private mutating func insert(_ id: UnsafeRawBufferPointer) {
        let (place, isThere) = find(id)
        guard !isThere else { return }
        if pieces.isEmpty || pieces[pieces.count - 1].count + id.count > Self.pieceLength {
            pieces.append([])
            // A set of a few ids stays small.
            if pieces.count > 1 {
                pieces[pieces.count - 1].reserveCapacity(Self.pieceLength)
            }
        }
        let piece = pieces.count - 1
        starts.append(UInt32(piece) << Self.pieceBits | UInt32(pieces[piece].count))
        lengths.append(UInt16(id.count))
        pieces[piece].append(contentsOf: id)
        places[place] = UInt32(starts.count)
        if starts.count * 3 > places.count * 2 {
            grow()
        }
    }

    /// The place of an id, or the free one where it would be.
    private func find(_ id: UnsafeRawBufferPointer) -> (place: Int, isThere: Bool) {
        var place = Self.hash(id) & (places.count - 1)
        while places[place] != 0 {
            if isEqual(Int(places[place]) - 1, id) {
                return (place, true)
            }
            place = (place + 1) & (places.count - 1)
        }
        return (place, false)
    }

    private func isEqual(_ number: Int, _ id: UnsafeRawBufferPointer) -> Bool {
        guard Int(lengths[number]) == id.count else { return false }
        let start = starts[number]
        return pieces[Int(start >> Self.pieceBits)].withUnsafeBytes { piece in
            let offset = Int(start) & (Self.pieceLength - 1)
            return UnsafeRawBufferPointer(rebasing: piece[offset..<offset + id.count]).elementsEqual(id)
        }
    }

    private mutating func grow() {
        places = Array(repeating: 0, count: places.count * 2)
        for number in starts.indices {
            let start = starts[number]
            let offset = Int(start) & (Self.pieceLength - 1)
            let hash = pieces[Int(start >> Self.pieceBits)].withUnsafeBytes { piece in
                Self.hash(UnsafeRawBufferPointer(rebasing: piece[offset..<offset + Int(lengths[number])]))
            }
            var place = hash & (places.count - 1)
            while places[place] != 0 {
                place = (place + 1) & (places.count - 1)
            }
            places[place] = UInt32(number + 1)
        }
    }

    private static func hash(_ id: UnsafeRawBufferPointer) -> Int {
        // Seeded for each process, so that no service can choose ids that collide.
        var hasher = Hasher()
        hasher.combine(bytes: id)
        return hasher.finalize() & Int.max
    }
}
