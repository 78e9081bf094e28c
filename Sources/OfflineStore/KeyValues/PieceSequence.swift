import Soups

/// Checks that the pieces of a value are all there, in their order.
///
/// They have the numbers from 0 on, and all but the last are full. That the last one is missing shows by the length of
/// the value, which values of earlier versions of this library do not have.
struct PieceSequence {
    /// The number of bytes so far.
    private(set) var total: Int64 = 0

    private let length: Int64?
    private var count: Int64 = 0
    private var isLastFull = true

    init(length: Int64?) { self.length = length }

    /// Takes the next piece.
    mutating func add(_ number: Int64, count bytes: Int) throws(Fault) {
        guard number == count, isLastFull, bytes > 0, bytes <= KeyValueTables.pieceSize else {
            throw Self.missing
        }
        count += 1
        total += Int64(bytes)
        isLastFull = bytes == KeyValueTables.pieceSize
    }

    /// Checks that the last piece was taken.
    func end() throws(Fault) {
        guard count > 0, length == nil || length == total else {
            throw Self.missing
        }
    }

    static let missing = Fault(
        .corrupt, "a value lacks some of its pieces: store it again, or restore a backup of the file")
}
