import Platform
import SQLiteAccess
package import Soups

extension SmartStore {
    /// Writes the -wal back into the file. Waits at most the busy timeout for others.
    ///
    /// The store does so by itself at every thousand pages and when it is closed: this is for a moment of the app's
    /// choice, such as before a copy by other means.
    ///
    /// - Throws: `readOnly`, `diskFull`, `inputOutput`, `closed`; also `CancellationError`.
    public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> CheckpointResult {
        try await connections.perform(.writing) { try self.checkpointNow(mode) }
    }

    func checkpointNow(_ mode: CheckpointMode) throws(Fault) -> CheckpointResult {
        try connections.write { (session, depth) throws(Fault) in
            guard depth == 1 || session.level == 0 else {
                throw Fault(.busy, "a checkpoint cannot be made inside a transaction")
            }
            let result = try session.connection.checkpoint(mode.ofConnection)
            return CheckpointResult(frames: result.frames, framesMoved: result.moved, isBusy: result.isBusy)
        }
    }

    /// Rewrites the file without the pages that removed entries have left, and returns its bytes before and after.
    ///
    /// Other calls wait. An encrypted store is copied under its own key as by `rekey(to:)`, and then no other process
    /// may have it open; a plain one is rewritten in place.
    ///
    /// Everything that is watched counts as changed. A task that is cancelled during the call still gets the result.
    ///
    /// - Throws: `diskFull` before anything is written if the disk has no room for a second copy; `busy`, `readOnly`.
    public func compact(
        progress: (@Sendable (CopyProgress) -> Void)? = nil
    ) async throws -> (before: Int64, after: Int64) {
        try await BlockingCall.runToTheEnd { try self.compactNow(progress: progress) }
    }

    /// Compacts on the calling thread, which waits.
    package func compactNow(
        progress: (@Sendable (CopyProgress) -> Void)? = nil
    ) throws(Fault) -> (before: Int64, after: Int64) {
        progress?(CopyProgress(phase: .copying, done: 0, total: 0))
        let before = try prepareCompacting()
        // Another call may change the key at any moment but in these two.
        let isPlain = try connections.write { (session, _) throws(Fault) in
            guard session.options.key == nil else { return false }
            try session.observe(.compact) { () throws(Fault) in
                // In memory the copy could be larger than the memory; without a key it is plain anyway.
                try session.connection.execute("PRAGMA temp_store = FILE")
                defer { try? session.connection.execute("PRAGMA temp_store = MEMORY") }
                try session.connection.execute("VACUUM")
                _ = try session.connection.checkpoint(.truncate)
                session.forget()
                return Reported(())
            }
            return true
        }
        if !isPlain {
            try connections.rekey(path) { $0 }
            try connections.openAfterChange { () throws(Fault) in try openNow() }
        }
        connections.tellEverything()
        return (before, File.size(path))
    }

    /// Writes the -wal back and checks that there is room. Returns the size of the file.
    private func prepareCompacting() throws(Fault) -> Int64 {
        try connections.write { (session, _) throws(Fault) in
            try session.requireWritable()
            guard session.level == 0 else {
                throw Fault(.busy, "a store cannot be compacted inside a transaction")
            }
            _ = try session.connection.checkpoint(.truncate)
            let size = File.size(path)
            let free = HostSystem.freeBytes(at: Path.folder(of: path))
            // A plain store needs a copy and a -wal of that size.
            let needed = session.options.key == nil ? 2 * size : size
            guard free >= needed || free == 0 else {
                throw Fault(.diskFull, "compacting needs \(needed) bytes, and the disk has \(free): free some space")
            }
            return size
        }
    }

    /// Renews SQLite's statistics where it finds that useful, and joins the parts of the full-text indexes, in steps
    /// between which other writers are admitted.
    ///
    /// - Throws: `readOnly`, `diskFull`, `busy`; also `CancellationError`: finished steps stay.
    public func optimize() async throws {
        try await connections.perform(.writing) {
            try self.writing(.optimize) { (session, _) throws(Fault) in
                try session.connection.execute("PRAGMA optimize")
                return Reported(())
            }
        }
        for name in try await allSoupNames() {
            var isDone = false
            while !isDone {
                isDone = try await connections.perform(.writing) { try self.mergeFullText(of: name) }
            }
        }
    }

    /// Merges some of a soup's full-text index. Returns whether there is no more to do.
    private func mergeFullText(of name: String) throws(Fault) -> Bool {
        try writing(.optimize) { (session, _) throws(Fault) in
            guard let soup = try session.soup(named: name, whileAltering: true), let version = soup.fullTextVersion,
                !session.schema.unfinished.contains(ByteKey(name))
            else {
                return Reported(true)
            }
            let table = soup.fullTextTableName
            let before = session.connection.totalChanges
            switch version {
            case .fts5: try session.connection.execute("INSERT INTO \(table)(\(table), rank) VALUES ('merge', 200)")
            case .fts4: try session.connection.execute("INSERT INTO \(table)(\(table)) VALUES ('merge=200,8')")
            }
            // Less than two changed rows: nothing was left to merge. Source:
            // https://sqlite.org/fts5.html#the_merge_command
            return Reported(session.connection.totalChanges - before < 2)
        }
    }
}

extension CheckpointMode {
    fileprivate var ofConnection: Connection.Checkpoint {
        switch self {
        case .passive: .passive
        case .full: .full
        case .restart: .restart
        case .truncate: .truncate
        }
    }
}

extension StoreEvent.Operation {
    /// A call of `compact` on a plain store; on an encrypted one it is a change of key.
    public static let compact = Self(rawValue: "compact")
    /// One step of a call of `optimize`.
    public static let optimize = Self(rawValue: "optimize")
}
