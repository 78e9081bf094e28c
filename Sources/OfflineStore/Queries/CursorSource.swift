import Soups

/// Reads the pages of one query for a cursor.
protocol CursorSource: Sendable {
    var store: SmartStore { get }
    func page(_ move: CursorMove, limit: Int) throws(Fault) -> ResultPage
    func count() throws(Fault) -> Int
}
