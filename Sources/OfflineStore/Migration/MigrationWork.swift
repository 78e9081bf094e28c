import SQLiteAccess
import Soups

/// Runs one migration, and notes after each call and each batch how far it has come.
///
/// Used by the thread that migrates only.
final class MigrationWork {
    let store: SmartStore
    private var row: MigrationTable.Row
    private let cancellation: Cancellation
    private let progress: @Sendable (MigrationProgress) -> Void
    /// The number of calls of the context until now, and of those that earlier runs have finished.
    private var calls = 0
    private let finishedCalls: Int

    /// The bytes of entries that a batch has at most, whatever their number.
    private static let batchBytes = 8 << 20

    init(
        _ row: MigrationTable.Row, store: SmartStore, _ cancellation: Cancellation,
        _ progress: @escaping @Sendable (MigrationProgress) -> Void
    ) {
        self.row = row
        self.store = store
        self.cancellation = cancellation
        self.progress = progress
        finishedCalls = row.calls
    }

    /// Notes that the migration is finished.
    func finish() throws(Fault) {
        row.isFinished = true
        row.soup = nil
        try note()
    }

    /// Notes that the migration has begun.
    func begin() throws(Fault) { try note() }

    private func note() throws(Fault) {
        let row = row
        try store.writing(.migrate) { (session, _) throws(Fault) in
            try MigrationTable.write(row, session.connection)
            return Reported(())
        }
    }

    /// Runs a call that may be repeated, unless an earlier run has finished it.
    func call<R>(_ body: () throws -> R) throws {
        calls += 1
        guard calls > finishedCalls else { return }
        try requireGoing()
        _ = try body()
        row.calls = calls
        row.soup = nil
        try note()
    }

    private func requireGoing() throws {
        if cancellation.isCancelled {
            throw CancellationError()
        }
    }

    // MARK: - Rewriting

    /// What a call of the context asks to rewrite.
    struct Rewriting {
        let soup: String
        /// The greatest number of entries of a batch.
        let batch: Int
        let keepsDates: Bool
        let keepsLocalFlags: Bool
    }

    /// Rewrites the entries of a soup, batch by batch, from where an earlier run has ended.
    func rewrite(_ rewriting: Rewriting, _ transform: (borrowing EntryView) throws -> Rewrite) throws {
        calls += 1
        guard calls > finishedCalls else { return }
        try beginRewriting(rewriting.soup)
        var entries = 0
        while true {
            try requireGoing()
            let (done, isLast) = try rewriteBatch(rewriting, transform)
            guard !isLast else { return }
            entries += done
            progress(MigrationProgress(id: row.id, soup: rewriting.soup, entries: entries))
        }
    }

    private func beginRewriting(_ soup: String) throws(Fault) {
        guard row.soup.map({ ByteKey($0) != ByteKey(soup) }) ?? true else { return }
        guard row.soup == nil else {
            throw Fault(
                .migrationFailed, "the migration does not go on as it began: keep its calls as they were",
                context: [.soup(soup)])
        }
        row.soup = soup
        row.position = .min
    }

    /// Rewrites the next entries in one transaction of the store, which its observers receive, and notes how far the
    /// migration is. Returns their number, and whether there are no others, which ends the call.
    private func rewriteBatch(
        _ rewriting: Rewriting, _ transform: (borrowing EntryView) throws -> Rewrite
    ) throws -> (done: Int, isLast: Bool) {
        var next = row
        var thrown: (any Error)?
        var isLast = false
        let done: Int
        do throws(Fault) {
            done = try store.writing(.migrate) { (session, now) throws(Fault) in
                let found = try read(rewriting.batch, after: row.position, rewriting.soup, session)
                next.position = found.last?.id ?? row.position
                // The least id that there is cannot be distinguished from a position before all entries. Where it is
                // the last one that was found, there are no others.
                isLast = next.position == .min || found.isEmpty
                if isLast {
                    next.calls = calls
                    next.soup = nil
                }
                for entry in found {
                    let rewrite = try rewrite(of: entry, transform, &thrown)
                    let date = rewriting.keepsDates ? entry.date : now
                    try apply(rewrite, to: entry, at: date, rewriting, session)
                }
                try MigrationTable.write(next, session.connection)
                return Reported(found.count, rows: found.count)
            }
        } catch {
            throw thrown ?? error
        }
        row = next
        return (done, isLast)
    }

    /// Asks what becomes of an entry. What the transformation throws is kept in `thrown`: the transaction ends with a
    /// fault, and the caller of the migration gets the error itself.
    private func rewrite(
        of entry: Entry, _ transform: (borrowing EntryView) throws -> Rewrite, _ thrown: inout (any Error)?
    ) throws(Fault) -> Rewrite {
        do {
            return try entry.text.withUnsafeBytes { try transform(EntryView(id: entry.id, text: $0)) }
        } catch {
            thrown = error
            throw error as? Fault ?? Fault(.migrationFailed, "the transformation threw")
        }
    }

    private struct Entry {
        let id: Int64
        let date: Int64
        let text: [UInt8]
    }

    /// The next entries after an id; from the first one on for the least id that there is. An entry with that id comes
    /// together with the next one.
    private func read(
        _ batch: Int, after position: Int64, _ name: String, _ session: StoreSession
    ) throws(Fault) -> [Entry] {
        let soup = try session.soup(name)
        let text = soup.storesExternally ? "NULL" : "soup"
        let comparison = position == .min ? ">=" : ">"
        let rows = try session.connection.statement(
            "SELECT id, lastModified, \(text) FROM \(soup.tableName) WHERE id \(comparison) ? ORDER BY id")
        defer { rows.clear() }
        try rows.bind(integer: position, at: 1)
        var entries: [Entry] = []
        var bytes = 0
        while (entries.count < batch && bytes < Self.batchBytes) || entries.last?.id == .min, try rows.step() {
            let (id, date) = (rows.integer(at: 0), rows.integer(at: 1))
            let text =
                soup.storesExternally
                ? try session.element(ElementVersion(table: soup.id, id: id, version: date)) : rows.bytes(at: 2)
            bytes += text.count
            entries.append(Entry(id: id, date: date, text: text))
        }
        return entries
    }

    private func apply(
        _ rewrite: Rewrite, to entry: Entry, at date: Int64, _ rewriting: Rewriting, _ session: StoreSession
    ) throws(Fault) {
        switch rewrite {
        case .keep: break
        case .remove: _ = try EntryRemoval(soup: session.soup(rewriting.soup), session: session).remove([entry.id])
        case .replace(let text):
            let text = rewriting.keepsLocalFlags ? try EntryEdit.keepingLocalFlags(of: entry.text, in: text) : text
            do throws(Fault) {
                try session.writer(of: session.soup(rewriting.soup)).rewrite(text, id: entry.id, at: date)
            } catch {
                throw Fault(
                    error.code, "the new text of the entry \(entry.id) cannot be stored: \(error.message)",
                    offset: error.offset, context: error.context)
            }
        }
    }
}

extension StoreEvent.Operation {
    /// One transaction of a migration: its rows are the entries of the batch.
    public static let migrate = Self(rawValue: "migrate")
}
