import Platform
import SQLiteAccess
import Soups

/// Puts a backup in the place of a store's files, in a way that a kill at any moment leaves the old store or the new
/// one.
///
/// The new files are made complete in a folder next to the store, `.restoring`, and brought to the disk. Renaming that
/// folder to `.restored` decides: from then on the store is the new one. What is left to do, removing the old -wal and
/// moving the new files to their names, can be done again from any point, and is done by the next opening for writing.
/// The folder is locked to the end: that tells it from one that a killed process left, which the next opening removes.
struct Restoration {
    let backup: String
    let path: String
    /// The options that open the backup, and the new store.
    let source: StoreOptions
    let target: StoreOptions
    /// The call that asks for it.
    var cancellation: Cancellation?

    private static let fileName = "store.db"
    private var folder: String { path + ".restoring" }
    private var file: String { folder + "/" + Self.fileName }

    init(from backup: String, key: Key?, to path: String, storeKey: CopyKey, options: StoreOptions) throws(Fault) {
        self.backup = try DatabasePath.resolve(backup)
        self.path = try DatabasePath.resolve(path)
        var source = options
        source.key = key
        source.access = .readWrite
        source.settings.lockingMode = .shared
        self.source = source
        target = source.copied(with: storeKey)
        try target.settings.check(isKeyed: target.key != nil)
    }

    /// - Parameter replacing: Whether files of a store that are there are replaced.
    func run(replacing: Bool) throws(Fault) {
        try Self.finish(path)
        guard File.exists(backup) else {
            throw Fault(.storeNotFound, "the backup \(backup) does not exist")
        }
        guard replacing || !File.exists(path) else {
            throw Fault(.inputOutput, "\(path) exists already: allow that it is replaced, or give another path")
        }
        if File.exists(path) {
            try ClosedDatabase.use(path) { () throws(Fault) in }
        }
        let lock = try makeFolder()
        defer { lock.release() }
        do throws(Fault) {
            try copyBackup()
            try requireGoing()
            try finishCopy()
            try requireGoing()
            // Nothing may open the old file between the decision and its end: what it wrote would be lost.
            try Self.whileClosed(path) { () throws(Fault) in
                try Fault.translating(File.rename(folder, to: Self.restored(path)))
                try Fault.translating(Folder.synchronize(Path.folder(of: path)))
                try Self.move(to: path)
            }
        } catch {
            Folder.removeTree(folder)
            throw error
        }
        Folder.removeTree(Self.restored(path))
    }

    /// What a cancelled restoration throws.
    static let cancelled = Fault(.closed, "the restoration was cancelled: the store is as it was")

    private func requireGoing() throws(Fault) {
        if cancellation?.isCancelled == true {
            throw Self.cancelled
        }
    }

    /// Makes the folder of the new files, without what a killed restoration left in it, and takes its lock.
    ///
    /// - Throws: `busy` if another process restores to the same path.
    private func makeFolder() throws(Fault) -> FolderLock {
        let end = ContinuousClock.now + .milliseconds(source.settings.busyTimeout)
        while true {
            try Folder.makeForStore(folder)
            if let lock = try? FolderLock(folder, followsLink: false) {
                for name in Folder.names(in: folder) {
                    Folder.removeTree(folder + "/" + name)
                }
                return lock
            }
            // An opening holds it only for as long as it takes to remove what it took for left over.
            guard .now < end else {
                throw Fault(.busy, "another process is restoring \(path): try again later")
            }
            CurrentThread.sleep(.milliseconds(5))
        }
    }

    // MARK: - Making the new files

    /// Copies the files of the backup, which no connection has open.
    private func copyBackup() throws(Fault) {
        let needed = File.size(backup) + File.size(backup + "-wal")
        let free = HostSystem.freeBytes(at: Path.folder(of: path))
        guard free >= needed || free == 0 else {
            throw Fault(.diskFull, "the store needs \(needed) bytes, and its disk has \(free): free some space")
        }
        try ClosedDatabase.use(backup) { () throws(Fault) in
            try Fault.translating(File.copy(backup, to: file))
            if File.size(backup + "-wal") > 0 {
                try Fault.translating(File.copy(backup + "-wal", to: file + "-wal"))
            }
            try copyTree(ElementFiles.root(ofStore: backup), to: ElementFiles.root(ofStore: file))
        }
    }

    private func copyTree(_ root: String, to copy: String) throws(Fault) {
        var folders = [""]
        while let folder = folders.popLast() {
            guard FileStatus(of: root + folder)?.kind == .folder else { continue }
            try Folder.makeForStore(copy + folder)
            for name in Folder.names(in: root + folder) {
                let item = folder + "/" + name
                if FileStatus(ofLink: root + item)?.kind == .folder {
                    folders.append(item)
                } else {
                    try Fault.translating(File.copy(root + item, to: copy + item))
                }
            }
        }
    }

    /// Opens the copy with the backup's key, reads all of it, and gives it the key of the store.
    private func finishCopy() throws(Fault) {
        let copy = try Connection(
            path: file, library: source.library, access: .readWrite, key: source.key, settings: source.settings)
        defer { copy.close() }
        try CopyCheck.requireSound(copy, isKeyed: source.key != nil)
        _ = try CopyCheck.soups(of: copy)
        try copy.checkpoint()
        copy.close()
        if target.key !== source.key || target.settings.cipher != source.settings.cipher {
            try changeKey()
        }
        let elements = ElementFiles.root(ofStore: file)
        if File.exists(elements) {
            try ElementCopy.synchronize(elements)
        }
        try Fault.translating(File.synchronize(file))
        try Fault.translating(Folder.synchronize(folder))
    }

    private func changeKey() throws(Fault) {
        guard source.library.capabilities.encryption else {
            throw Fault(
                .encryptionUnavailable,
                "a SQLCipher library is needed to change a key; this is \(source.library.path)")
        }
        let other = folder + "/other.db"
        let connection = try Connection(
            path: file, library: source.library, access: .readWrite, key: source.key, settings: source.settings)
        defer { connection.close() }
        let copy = try StoreCopy(
            source, key: target.key.map { .key($0, target.settings.cipher) } ?? .plain,
            to: other, commit: .unknown, cancellation: nil, progress: nil)
        _ = try copy.run(from: connection) { (work) throws(Fault) in try work() }
        connection.close()
        Folder.removeTree(ElementFiles.root(ofStore: file))
        for suffix in ["-wal", "-shm"] {
            File.remove(file + suffix)
        }
        try Fault.translating(File.rename(other, to: file))
        if File.exists(ElementFiles.root(ofStore: other)) {
            try Fault.translating(
                File.rename(ElementFiles.root(ofStore: other), to: ElementFiles.root(ofStore: file)))
        }
    }

    // MARK: - Moving them to their names

    private static func restored(_ path: String) -> String { path + ".restored" }

    /// Removes what a restoration that was cut left, and goes on with one that had decided. Costs two calls of the
    /// system where there is none. No connection of this process may have the store open.
    ///
    /// - Throws: `busy` if the old files are open, or another process is moving the new ones.
    static func finish(_ path: String) throws(Fault) {
        removeLeftOver(path + ".restoring")
        let folder = restored(path)
        guard File.exists(folder) else { return }
        // Of several processes that open the store one does it.
        guard let lock = try? FolderLock(folder, followsLink: false) else {
            // It may just be done.
            guard File.exists(folder) else { return }
            throw Fault(.busy, "another process is restoring \(path): try again later")
        }
        defer { lock.release() }
        try whileClosed(path) { () throws(Fault) in try move(to: path) }
        Folder.removeTree(folder)
    }

    /// Removes a folder that no living process works in.
    private static func removeLeftOver(_ folder: String) {
        guard File.exists(folder), let lock = try? FolderLock(folder, followsLink: false) else { return }
        Folder.removeTree(folder)
        lock.release()
    }

    /// Runs work while no connection of any process has the old file open, or can open it.
    private static func whileClosed(_ path: String, _ work: () throws(Fault) -> Void) throws(Fault) {
        guard File.exists(path) else {
            return try work()
        }
        try ClosedDatabase.claim(path, work)
    }

    /// Moves the new files to their names, as far as that is not done. The caller holds the folder's lock.
    private static func move(to path: String) throws(Fault) {
        let file = restored(path) + "/" + fileName
        guard File.exists(file) else { return }
        for suffix in ["-wal", "-shm", "-journal"] {
            File.remove(path + suffix)
        }
        let elements = ElementFiles.root(ofStore: file)
        if File.exists(elements) {
            Folder.removeTree(ElementFiles.root(ofStore: path))
            try Fault.translating(File.rename(elements, to: ElementFiles.root(ofStore: path)))
        }
        try Fault.translating(File.rename(file, to: path))
        try Fault.translating(Folder.synchronize(Path.folder(of: path)))
    }

    /// Refuses to read a store whose restoration was cut after it had decided.
    static func requireFinished(_ path: String) throws(Fault) {
        if File.exists(restored(path)) {
            throw Fault(.readOnly, "a backup is being restored over \(path): open it for writing once")
        }
    }
}
