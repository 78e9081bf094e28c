/// Leads from a byte of the SQL back to the byte of the Smart SQL that it came from.
///
/// Only references and what is put in change the text; all else is moved. So a list of these places, in order, is enough.
struct OffsetMap: Sendable {
    private struct Piece {
        /// Where the SQL of it begins and ends, and where its source does.
        var start: Int
        var end: Int
        var sourceStart: Int
        var sourceEnd: Int
    }

    private var pieces: [Piece] = []

    mutating func append(_ range: Range<Int>, from source: Range<Int>) {
        pieces.append(Piece(start: range.lowerBound, end: range.upperBound, sourceStart: source.lowerBound, sourceEnd: source.upperBound))
    }

    /// Moves what lies at or behind a place of the SQL, after bytes were put in there. Costs as many steps as pieces lie behind it.
    mutating func insert(_ count: Int, at place: Int) {
        var index = pieces.count
        while index > 0, pieces[index - 1].start >= place {
            index -= 1
            pieces[index].start += count
            pieces[index].end += count
        }
    }

    /// Forgets what lies at or behind a place of the SQL.
    mutating func removeAll(from place: Int) {
        while let last = pieces.last, last.start >= place { pieces.removeLast() }
    }

    /// The map after replacements were made in the SQL, each within one piece. In order of place; linear.
    func applying(_ edits: [TextEdit]) -> OffsetMap {
        var result = self
        var next = 0
        var shift = 0
        for index in result.pieces.indices {
            let end = result.pieces[index].end
            result.pieces[index].start += shift
            while next < edits.count, edits[next].place < end {
                shift += edits[next].text.count - edits[next].removed
                next += 1
            }
            result.pieces[index].end += shift
        }
        return result
    }

    /// Where in the Smart SQL a byte of the SQL came from: itself, or the `{` of its reference.
    func source(of offset: Int) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return offset }
        let piece = pieces[low - 1]
        return offset < piece.end ? piece.sourceStart : piece.sourceEnd + (offset - piece.end)
    }
}

/// Says what to put into a text in place of some of its bytes.
struct TextEdit {
    var place: Int
    var removed: Int
    var text: [UInt8]

    /// Applies edits in order of place. Linear.
    static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.text.count })
        var copied = 0
        for edit in edits {
            result += bytes[copied..<edit.place]
            result += edit.text
            copied = edit.place + edit.removed
        }
        result += bytes[copied...]
        return result
    }
}
