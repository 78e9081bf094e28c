/// Finds packed ids that were added in ascending order, by a fixed share of their positions.
struct IdOrder: Sendable {
    /// Where each sixteenth id begins.
    private var marks: [UInt32] = []
    private var count = 0

    private static let distance = 16

    /// Adds an id that comes after all others and begins at a position.
    mutating func note(_ start: UInt32) {
        if count % Self.distance == 0 {
            marks.append(start)
        }
        count += 1
    }

    /// Where an id begins; nil if it is not there.
    func start(of id: UnsafeRawBufferPointer, in ids: PackedIds) -> UInt32? {
        // Of the marks, those up to `low` are at ids that come before the wanted one, or at itself.
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if ids.withId(at: marks[middle], { id.precedes($0) }) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        guard low > 0 else { return nil }
        var start = marks[low - 1]
        while ids.hasId(at: start) {
            let (isSame, isPast) = ids.withId(at: start) { ($0.hasSameBytes(as: id), id.precedes($0)) }
            if isSame {
                return start
            }
            guard !isPast else { return nil }
            start = ids.start(after: start)
        }
        return nil
    }
}
