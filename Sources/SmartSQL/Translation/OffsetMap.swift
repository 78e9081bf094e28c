/// Leads from a byte of the SQL back to the byte of the Smart SQL that it came from.
///
/// Only references and what is put in change the text; all else is moved. So a list of these places, in order, is
/// enough.
struct OffsetMap: Sendable {
    /// Half the size of `Int`: a statement of SQLite is shorter than 2 GB.
    private struct Piece {
        /// Where the SQL of it begins and ends, and where its source does.
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

    /// Notes that bytes were put in at a place of the SQL: what lies at or behind it has moved. Costs as many steps as
    /// pieces lie behind it.
    mutating func insert(_ count: Int, at place: Int) {
        let source = UInt32(clamping: source(of: place))
        var index = pieces.count
        while index > 0, pieces[index - 1].start >= UInt32(clamping: place) {
            index -= 1
            pieces[index].start = UInt32(clamping: Int(pieces[index].start) + count)
            pieces[index].end = UInt32(clamping: Int(pieces[index].end) + count)
        }
        // What was put in came from nowhere: it points to what it stands before.
        pieces.insert(
            Piece(
                start: UInt32(clamping: place), end: UInt32(clamping: place + count), sourceStart: source,
                sourceEnd: source), at: index)
    }

    /// Forgets what lies at or behind a place of the SQL.
    mutating func removeAll(from place: Int) {
        while let last = pieces.last, last.start >= UInt32(clamping: place) {
            pieces.removeLast()
        }
    }

    /// The map after replacements were made in the SQL, each within one piece. In order of place; linear.
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
            while next < edits.count, edits[next].place < end {
                shift += edits[next].text.count - edits[next].removed
                next += 1
            }
            result.pieces[index].end = UInt32(clamping: end + shift)
        }
        return result
    }

    /// Where in the Smart SQL a byte of the SQL came from: itself, or the `{` of its reference.
    func source(of offset: Int) -> Int {
        // While a text is written, what is asked for lies behind all pieces.
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
