/// Ids one after the other, in the order in which they were added. Each takes its own bytes and two for its length.
struct PackedIds: Sendable {
    /// Pieces of the ids' bytes, each of a mebibyte: before each id its length in two bytes. No id is cut.
    private var pieces: [[UInt8]] = []
    /// Where the last id begins; nil without ids.
    private(set) var last: UInt32?

    private static let pieceBits: UInt32 = 20
    private static let pieceLength = 1 << 20
    /// The bytes of a length.
    private static let lengthSize = 2
    static let greatestLength = Int(UInt16.max)

    /// Adds an id of at most `greatestLength` bytes and returns where it begins.
    mutating func append(_ id: UnsafeRawBufferPointer) -> UInt32 {
        if pieces.isEmpty || pieces[pieces.count - 1].count + Self.lengthSize + id.count > Self.pieceLength {
            pieces.append([])
            // A set of a few ids stays small.
            if pieces.count > 1 {
                pieces[pieces.count - 1].reserveCapacity(Self.pieceLength)
            }
        }
        let piece = pieces.count - 1
        let start = UInt32(piece) << Self.pieceBits | UInt32(pieces[piece].count)
        pieces[piece].append(UInt8(truncatingIfNeeded: id.count))
        pieces[piece].append(UInt8(truncatingIfNeeded: id.count >> 8))
        pieces[piece].append(contentsOf: id)
        last = start
        return start
    }

    /// Whether an id begins at a position, which is 0 or one that this type has given.
    func hasId(at start: UInt32) -> Bool {
        let piece = Int(start >> Self.pieceBits)
        return piece < pieces.count && Int(start) & (Self.pieceLength - 1) < pieces[piece].count
    }

    /// The position after the id that begins at a position, where the next id begins if there is one.
    func start(after start: UInt32) -> UInt32 {
        let piece = start >> Self.pieceBits
        let length = withId(at: start) { $0.count }
        let end = start + UInt32(Self.lengthSize + length)
        let isLast = Int(end & UInt32(Self.pieceLength - 1)) == pieces[Int(piece)].count
        return isLast ? (piece + 1) << Self.pieceBits : end
    }

    /// Gives the bytes of the id that begins at a position.
    @inline(__always)
    func withId<Result>(at start: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        pieces[Int(start >> Self.pieceBits)].withUnsafeBytes { piece in
            let offset = Int(start) & (Self.pieceLength - 1)
            let length = Int(piece[offset]) | Int(piece[offset + 1]) << 8
            let first = offset + Self.lengthSize
            return body(UnsafeRawBufferPointer(rebasing: piece[first..<first + length]))
        }
    }
}
