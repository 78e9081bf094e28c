/// A set of ids, kept packed: about 30 bytes for an id of 18, so that a million of them take little memory.
struct IdSet: Sendable {
    /// Pieces of the ids' bytes, each of a mebibyte; no id is cut.
    private var pieces: [[UInt8]] = []
    /// Where each id begins, counted over pieces of equal length.
    private var starts: [UInt32] = []
    private var lengths: [UInt16] = []
    /// Numbers of ids plus 1 at the places of their hashes; 0 is free.
    private var places: [UInt32] = Array(repeating: 0, count: 16)

    private static let pieceBits: UInt32 = 20
    private static let pieceLength = 1 << 20

    /// The number of ids.
    var count: Int { starts.count }

    /// Adds an id; one that is there already is ignored. An id longer than 65,535 bytes is never one of a record.
    mutating func insert(_ id: String) {
        var id = id
        id.withUTF8 { insert(UnsafeRawBufferPointer($0)) }
    }

    func contains(_ id: String) -> Bool {
        var id = id
        return id.withUTF8 { find(UnsafeRawBufferPointer($0)).isThere }
    }

    private mutating func insert(_ id: UnsafeRawBufferPointer) {
        guard id.count <= Int(UInt16.max) else { return }
        let (place, isThere) = find(id)
        guard !isThere else { return }
        if (pieces.last?.count ?? Self.pieceLength) + id.count > Self.pieceLength {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.pieceLength)
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
