package import SQLiteAccess
import Soups

extension SmartStore {
    /// Runs the migrations that the store has not run yet, in the order of the array, and returns their ids.
    ///
    /// Each is run once in the life of the store. One that was cut, by a kill, a cancellation or an error, goes on
    /// after its last committed batch when `migrate` is called again. Of several processes one migrates, the others
    /// wait. Call it after opening, before anything else uses the store.
    ///
    /// - Parameters:
    ///   - migrations: All migrations of the app, the oldest first. None is ever left out or moved.
    ///   - allowsUnknown: Whether the store may have run migrations that are not in the array, as after going back to
    ///     an older version of the app.
    ///   - progress: Called after each batch that is committed.
    /// - Throws: `storeNewerThanApp`; `invalidArguments` if an id is empty or given twice, or the order differs from
    ///   that in which they were run; `migrationFailed` if one fails, after which the later ones are not run;
    ///   `readOnly`, `busy` inside a transaction or a backup; `CancellationError`.
    @discardableResult
    public func migrate(
        _ migrations: [StoreMigration], allowsUnknown: Bool = false,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) async throws -> [String] {
        try await BlockingCall.runAware { cancellation in
            try self.migrateNow(
                migrations, allowsUnknown: allowsUnknown, cancellation: cancellation, progress: progress)
        }
    }

    /// Migrates on the calling thread, which waits.
    package func migrateNow(
        _ migrations: [StoreMigration], allowsUnknown: Bool = false, cancellation: Cancellation = Cancellation(),
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) throws -> [String] {
        try Self.requireDistinct(migrations)
        guard connections.options.access != .readOnly else {
            throw Fault(.readOnly, "the store was opened for reading only")
        }
        guard !connections.gate.isInside else {
            throw Fault(.busy, "a migration cannot run inside a transaction or a reading call")
        }
        try connections.requireOpen()
        let lock = try MigrationLock(ofStore: path) {
            if cancellation.isCancelled {
                throw CancellationError()
            }
        }
        defer { lock.release() }
        let known = try reading { (session) throws(Fault) in try MigrationTable.rows(session.connection) }
        try Self.requireOrder(of: known, in: migrations, allowsUnknown: allowsUnknown)
        var done: [String] = []
        for migration in migrations {
            let row = known.first { ByteKey($0.id) == ByteKey(migration.id) }
            guard row?.isFinished != true else { continue }
            let work = MigrationWork(
                row ?? .init(id: migration.id, calls: 0, soup: nil, position: .min, isFinished: false), store: self,
                cancellation, progress ?? { _ in })
            try run(migration, work, isNew: row == nil)
            done.append(migration.id)
        }
        return done
    }

    private func run(_ migration: StoreMigration, _ work: MigrationWork, isNew: Bool) throws {
        do {
            if isNew {
                try work.begin()
            }
            try migration.run(MigrationContext(work))
            try work.finish()
        } catch let error as CancellationError {
            throw error
        } catch let fault as Fault {
            throw Fault(
                .migrationFailed, "the migration \(migration.id) failed (\(fault.code.rawValue)): \(fault.message)",
                context: fault.context)
        } catch {
            // The error of the app may hold anything: only its type is named.
            throw Fault(.migrationFailed, "the migration \(migration.id) failed with \(type(of: error))")
        }
    }

    private static func requireDistinct(_ migrations: [StoreMigration]) throws(Fault) {
        var seen: Set<ByteKey> = []
        for migration in migrations {
            guard !migration.id.isEmpty else {
                throw Fault(.invalidArguments, "a migration needs an id")
            }
            guard seen.insert(ByteKey(migration.id)).inserted else {
                throw Fault(.invalidArguments, "two migrations have the id \(migration.id)")
            }
        }
    }

    private static func requireOrder(
        of known: [MigrationTable.Row], in migrations: [StoreMigration], allowsUnknown: Bool
    ) throws(Fault) {
        let ids = migrations.map { ByteKey($0.id) }
        var last = -1
        for row in known {
            guard let index = ids.firstIndex(of: ByteKey(row.id)) else {
                guard allowsUnknown else {
                    throw Fault(
                        .storeNewerThanApp, "the store has run the migration \(row.id), which this app does not have")
                }
                continue
            }
            guard index > last else {
                throw Fault(
                    .invalidArguments, "the migration \(row.id) was run in another order: keep the order of migrations")
            }
            last = index
        }
        // It would run after those that follow it here, and the next call would find another order.
        let ran = Set(known.map { ByteKey($0.id) })
        if let late = migrations.prefix(max(last, 0)).first(where: { !ran.contains(ByteKey($0.id)) }) {
            throw Fault(
                .invalidArguments,
                "the migration \(late.id) comes before one that was run: put new migrations after all others")
        }
    }
}
