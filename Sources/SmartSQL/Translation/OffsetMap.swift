/// Maps offsets in the SQL back to offsets in the Smart SQL.
///
/// Only references and insertions change the text; everything else is moved. So a sorted list of these pieces is
/// enough.
struct OffsetMap: Sendable {
    /// 32-bit offsets are enough, because a statement of SQLite is shorter than 2 GB.
    private struct Piece {
        /// The range of the piece in the SQL. `sourceStart` and `sourceEnd` are its range in the Smart SQL.
        var start: UInt32
        var end: UInt32
        var sourceStart: UInt32
        var sourceEnd: UInt32
    }

    private var pieces: [Piece] = []

    mutating func reserve(_ count: Int) { pieces.reserveCapacity(count) }

    mutating func append(_ range: Range<Int>, from source: Range<Int>) {
        pieces.append(
            Piece(
                start: UInt32(clamping: range.lowerBound), end: UInt32(clamping: range.upperBound),
                sourceStart: UInt32(clamping: source.lowerBound),
                sourceEnd: UInt32(clamping: source.upperBound)))
    }

    /// Records that bytes were inserted at an offset of the SQL, which moves everything from there on. O(n) in the
    /// number of pieces after the offset.
    mutating func insert(_ count: Int, at offset: Int) {
        let source = UInt32(clamping: source(of: offset))
        var index = pieces.count
        while index > 0, pieces[index - 1].start >= UInt32(clamping: offset) {
            index -= 1
            pieces[index].start = UInt32(clamping: Int(pieces[index].start) + count)
            pieces[index].end = UInt32(clamping: Int(pieces[index].end) + count)
        }
        // Inserted bytes have no source. They map to the source of the byte after them.
        pieces.insert(
            Piece(
                start: UInt32(clamping: offset), end: UInt32(clamping: offset + count), sourceStart: source,
                sourceEnd: source), at: index)
    }

    /// Removes the pieces from an offset of the SQL on.
    mutating func removeAll(from offset: Int) {
        while let last = pieces.last, last.start >= UInt32(clamping: offset) {
            pieces.removeLast()
        }
    }

    /// The map after edits of the SQL, which must be sorted and each be inside one piece. O(n).
    func applying(_ edits: [TextEdit]) -> OffsetMap {
        guard !edits.isEmpty else {
            return self
        }
        var result = self
        var next = 0
        var shift = 0
        for index in result.pieces.indices {
            let end = Int(result.pieces[index].end)
            result.pieces[index].start = UInt32(clamping: Int(result.pieces[index].start) + shift)
            while next < edits.count, edits[next].offset < end {
                shift += edits[next].text.count - edits[next].removed
                next += 1
            }
            result.pieces[index].end = UInt32(clamping: end + shift)
        }
        return result
    }

    /// The offset in the Smart SQL for an offset in the SQL: that of the same byte, or of the `{` of its reference.
    func source(of offset: Int) -> Int {
        // While a text is being written, the requested offset is after all pieces.
        var low = pieces.last.map { Int($0.start) <= offset } == true ? pieces.count : 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if Int(pieces[middle].start) <= offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low > 0 else {
            return offset
        }
        let piece = pieces[low - 1]
        return offset < Int(piece.end) ? Int(piece.sourceStart) : Int(piece.sourceEnd) + (offset - Int(piece.end))
    }
}
