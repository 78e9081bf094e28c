import Platform
import SQLiteAccess
import Soups

/// Copies one committed state of a store, with its external entries, to a new path: under the same key, another one or
/// none.
///
/// Plain to plain is copied by SQLite's backup interface, everything else by SQLCipher's export. `VACUUM INTO` is never
/// used: on a keyed connection it wrote plain text without an error. Source: https://sqlite.org/backup.html,
/// https://www.zetetic.net/sqlcipher/sqlcipher-api/#sqlcipher_export.
struct StoreCopy {
    /// The options of the store.
    let options: StoreOptions
    /// The options that open the copy.
    let copied: StoreOptions
    let path: String
    /// The number of the state that is copied.
    let commit: CommitNumber
    /// The call that asks for the copy.
    let cancellation: Cancellation?
    let progress: @Sendable (CopyProgress) -> Void

    /// The folder in which the copy is until it is complete. Its lock tells it from one that a killed process left.
    private var folder: String { path + ".partial" }
    private var partial: String { folder + "/store.db" }

    init(
        _ options: StoreOptions, key: CopyKey, to path: String, commit: CommitNumber, cancellation: Cancellation?,
        progress: (@Sendable (CopyProgress) -> Void)?
    ) throws(Fault) {
        self.options = options
        self.commit = commit
        self.cancellation = cancellation
        var copied = options.copied(with: key)
        copied.access = .readWrite
        copied.settings.lockingMode = .shared
        copied.settings.maximumPageCount = nil
        self.copied = copied
        self.path = try DatabasePath.resolve(path)
        self.progress = progress ?? { _ in }
        try copied.settings.check(isKeyed: copied.key != nil)
        if copied.key != nil || options.key != nil, !options.library.capabilities.encryption {
            throw Fault(
                .encryptionUnavailable,
                "a SQLCipher library is needed for a copy with a key; this is \(options.library.path)")
        }
        if options.key != nil || copied.key != nil, options.access == .readOnly {
            throw Fault(.readOnly, "an encrypted store is copied only while it is open for writing")
        }
    }

    // MARK: - Steps

    /// Makes the whole copy.
    ///
    /// - Parameters:
    ///   - source: A connection that nothing else uses during the copy.
    ///   - writersLock: Runs work while no connection of any process can commit.
    func run(
        from source: Connection, locking writersLock: (_ work: () throws(Fault) -> Void) throws(Fault) -> Void
    ) throws(Fault) -> BackupSummary {
        let lock = try makeFolder()
        defer {
            Folder.removeTree(folder)
            lock.release()
        }
        try requireFreeName()
        let elements = try write(from: source, writersLock)
        let summary = try finish(elements)
        try publish()
        return summary
    }

    /// Makes the folder of the unfinished copy, without what a killed process left, and takes its lock.
    ///
    /// - Throws: `busy` if another backup to the path is being written.
    private func makeFolder() throws(Fault) -> FolderLock {
        do throws(SystemError) {
            try Folder.make(folder)
        } catch {
            guard FileStatus(ofLink: folder)?.kind == .folder else {
                throw Fault(error)
            }
        }
        guard let lock = try? FolderLock(folder, followsLink: false) else {
            throw Fault(.busy, "another backup to \(path) is being written")
        }
        // It was cut after the files of its entries had their name: the database still has none.
        if File.exists(partial), !File.exists(ElementFiles.root(ofStore: partial)), !File.exists(path) {
            Folder.removeTree(ElementFiles.root(ofStore: path))
        }
        for name in Folder.names(in: folder) {
            Folder.removeTree(folder + "/" + name)
        }
        return lock
    }

    private func requireFreeName() throws(Fault) {
        let names = [path, path + "-wal", ElementFiles.root(ofStore: path)]
        if let taken = names.first(where: File.exists) {
            throw Fault(.inputOutput, "\(taken) exists already: remove it, or give another path")
        }
    }

    private func write(
        from source: Connection, _ lock: (_ work: () throws(Fault) -> Void) throws(Fault) -> Void
    ) throws(Fault) -> ElementCopy? {
        var elements: ElementCopy?
        func fix() throws(Fault) {
            try lock { () throws(Fault) in
                // The first reading of the transaction: it fixes the state.
                _ = try source.schemaVersion()
                elements = try ElementCopy(of: source, toStore: partial)
                if changesEncryption, elements != nil, try LongOperation.isUnderway(source) {
                    throw Fault(
                        .busy, "an alteration is unfinished: finish it before a copy gets or loses its encryption")
                }
                try requireSpace(for: source)
                try elements?.link(source)
            }
        }
        progress(CopyProgress(phase: .copying, done: 0, total: 0))
        if options.key == nil, copied.key == nil {
            var settings = copied.settings
            settings.journalMode = .delete
            let target = try Connection(path: partial, library: options.library, access: .create, settings: settings)
            defer { target.close() }
            try source.transaction(.deferred) { () throws(Fault) in
                try fix()
                try source.copyPages(to: target) { progress(CopyProgress(phase: .copying, done: $0, total: $1)) }
            }
        } else {
            try source.export(to: partial, key: copied.key, settings: copied.settings, fixing: fix)
        }
        return elements
    }

    /// Whether the copy is encrypted and the store is not, or the other way round: then the files of entries are
    /// written again, which is not possible for those of a soup that is being altered.
    private var changesEncryption: Bool { (options.key == nil) != (copied.key == nil) }

    /// Refuses before anything is written if the disk cannot take the copy.
    private func requireSpace(for source: Connection) throws(Fault) {
        var needed = try source.number("PRAGMA page_count") * source.number("PRAGMA page_size")
        if changesEncryption {
            needed += Folder.size(below: ElementFiles.root(ofStore: source.path)).bytes
        }
        let free = HostSystem.freeBytes(at: Path.folder(of: path))
        guard free >= needed || free == 0 else {
            throw Fault(
                .diskFull, "the copy needs \(needed) bytes, and the disk of \(path) has \(free): free some space")
        }
    }

    /// Opens the copy as it will be opened later, reads all of it, and brings it to the disk.
    private func finish(_ elements: ElementCopy?) throws(Fault) -> BackupSummary {
        progress(CopyProgress(phase: .checking, done: 0, total: 0))
        let target = try Connection(
            path: partial, library: copied.library, access: .readWrite, key: copied.key, settings: copied.settings)
        defer { target.close() }
        let soups = try cancellable(target) { () throws(Fault) in
            if let elements, changesEncryption {
                try elements.encryptAnew(for: target, keyed: copied.key != nil, progress)
            }
            try elements?.synchronize()
            try CopyCheck.requireSound(target, isKeyed: copied.key != nil)
            let soups = try CopyCheck.soups(of: target)
            try target.checkpoint()
            return soups
        }
        target.close()
        guard !File.exists(partial + "-wal") else {
            throw Fault(.inputOutput, "the copy cannot be finished")
        }
        try Fault.translating(File.synchronize(partial))
        let bytes = File.size(partial) + Folder.size(below: ElementFiles.root(ofStore: partial)).bytes
        return BackupSummary(soups: soups, bytes: bytes, commit: commit)
    }

    private func cancellable<R>(_ connection: Connection, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        guard let cancellation else {
            return try work()
        }
        return try connection.cancellable(by: cancellation, work)
    }

    /// Gives the copy its name: the files of entries first, so that the name of the database means that all is there.
    private func publish() throws(Fault) {
        let root = ElementFiles.root(ofStore: partial)
        let hasFiles = File.exists(root)
        if hasFiles {
            try Fault.translating(File.rename(root, to: ElementFiles.root(ofStore: path)))
        }
        do throws(SystemError) {
            try File.rename(partial, to: path)
        } catch {
            if hasFiles {
                Folder.removeTree(ElementFiles.root(ofStore: path))
            }
            throw Fault(error)
        }
        try Fault.translating(Folder.synchronize(Path.folder(of: path)))
    }

    /// Removes a copy that is finished.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] {
            File.remove(path + suffix)
        }
        Folder.removeTree(ElementFiles.root(ofStore: path))
    }
}
