import JSONText
import Soups

/// Stores a stream of JSON lines, one transaction at a time.
///
/// `@unchecked Sendable`: an asynchronous load calls it from one thread after another, never from two at once.
final class Loading: @unchecked Sendable {
    /// What is committed.
    private(set) var done = LoadProgress()
    private(set) var isOver = false
    private let lines: JSONLines
    private let soup: String
    private let externalIdPath: String?
    private let entriesPerTransaction: Int
    /// The longest text that SQLite takes (https://sqlite.org/limits.html, 1).
    private static let longestEntry = 1_000_000_000

    init(_ source: ByteSource, into soup: String, externalIdPath: String?, entriesPerTransaction: Int) {
        // The store checks each entry itself. What it has exported can be loaded again, however long.
        lines = JSONLines(source, checks: false, maximumLine: Self.longestEntry)
        self.soup = soup
        self.externalIdPath = externalIdPath
        self.entriesPerTransaction = max(1, entriesPerTransaction)
    }

    /// Stores all entries, in one transaction after the other.
    func run(in store: SmartStore, _ progress: ((LoadProgress) -> Void)?) throws(Fault) {
        while !isOver {
            try storeNext(in: store)
            progress?(done)
        }
    }

    /// Stores the entries of the next transaction.
    func storeNext(in store: SmartStore) throws(Fault) {
        try store.connections.write { (session, _) throws(Fault) in
            try session.loading(isOver: { isOver }) { () throws(Fault) in try storeTransaction(in: store) }
        }
    }

    /// Ends a load before its last transaction: the -wal gets as short as other calls leave it.
    func end(in store: SmartStore) throws(Fault) {
        try store.connections.write { (session, _) throws(Fault) in session.endLoading() }
    }

    private func storeTransaction(in store: SmartStore) throws(Fault) {
        let count = try store.writing(.load) { (session, now) throws(Fault) in
            let writer = try session.writer(of: session.soup(soup), externalIdPath: externalIdPath)
            var count = 0
            while count < entriesPerTransaction {
                guard try advance() else {
                    isOver = true
                    break
                }
                do throws(Fault) {
                    try lines.withLine { (line) throws(Fault) in
                        _ = try writer.upsert(line, externalIdPath: externalIdPath, at: now)
                    }
                } catch {
                    throw error.shifted(by: lines.lineOffset).adding(.line(lines.lineNumber))
                }
                count += 1
            }
            return Reported(count, rows: count)
        }
        done.entries += count
        done.lines = lines.lineNumber
    }

    private func advance() throws(Fault) -> Bool {
        do throws(JSONLineError) {
            return try lines.advance()
        } catch {
            let code: Fault.Code = error.error.code == .limitExceeded ? .limitExceeded : .inputOutput
            throw Fault(code, error.error.message, offset: error.offset, context: [.line(error.line)])
        }
    }
}
