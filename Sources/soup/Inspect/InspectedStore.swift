import OfflineStore
import Platform
import SQLiteAccess
import Soups

/// A store that is open for inspection. Nothing is written to its folder, unless it is read live.
final class InspectedStore {
    /// The database file that was asked for.
    let path: String
    let store: SmartStore
    /// The settings that opened an encrypted store; nil for a plain one.
    let preset: String?
    /// The folder of a private copy, for files that cannot be read as they are.
    private let copy: String?

    /// Finds the file, reads the key and opens the store. A failure is reported and ends the command.
    ///
    /// - Parameter salvages: Whether a plain file is to be opened that lacks pages at its end.
    init(_ asked: String, _ opening: InspectOpening, salvages: Bool = false) throws {
        var copy: String?
        do throws(Fault) {
            path = try Self.file(asked)
            guard let status = FileStatus(of: path) else {
                throw Fault(.storeNotFound, "the file \(path) does not exist")
            }
            // A pipe would be waited for before the store itself could refuse it.
            guard status.kind != .other else {
                throw Fault(.notADatabase, "\(path) is a pipe or a device: give the path of a file")
            }
            if !opening.live {
                try Self.requireUnused(path)
            }
            let isPlain = Self.isPlain(path, status)
            var key = try InspectKey.read(opening)
            if key == nil, !isPlain {
                key = try InspectKey.ask(opening)
            }
            let library = try Self.library(isPlain: isPlain && key == nil)
            var options = StoreOptions(library: library, key: key)
            options.access = .readOnly
            options.settings.readsInPlace = opening.live
            options.settings.busyTimeout = 2000
            options.permissivePaths = true
            let opened: Opened
            if isPlain, salvages, let extended = try Self.extended(path) {
                opened = extended
            } else {
                opened = try Self.prepare(path, opening, &options)
            }
            copy = opened.folder
            (store, preset) = try Self.open(opened, options, opening)
            opened.notice.map { StandardError.say("soup inspect: \($0)") }
        } catch {
            copy.map(Folder.removeTree)
            var advice = ""
            if error.code == .busy, !opening.live {
                advice = "; or read it with --live"
            }
            StandardError.say("Error: \(error.message)\(advice) [\(error.code.rawValue)]")
            throw InspectEnd.whileOpening(error).code
        }
        self.copy = copy
    }

    func close() {
        try? store.close()
        copy.map(Folder.removeTree)
    }

    // MARK: - The file

    /// Checks that no process has the file open: what it is about to write is neither in the file nor in a copy.
    ///
    /// - Throws: `busy`.
    private static func requireUnused(_ path: String) throws(Fault) {
        try ClosedDatabase.use(path) { () throws(Fault) in }
    }

    /// The database file: what was asked for, or the only one in a folder.
    private static func file(_ asked: String) throws(Fault) -> String {
        guard FileStatus(of: asked)?.kind == .folder else { return asked }
        let usual = ["store.db", "values.db"].map { "\(asked)/\($0)" }.filter(File.exists)
        if usual.count == 1 {
            return usual[0]
        }
        let sideFiles = ["-wal", "-shm", "-journal"]
        let found = Folder.names(in: asked).filter { name in
            !sideFiles.contains(where: name.hasSuffix)
                && FileStatus(of: "\(asked)/\(name)").map { $0.kind == .file && $0.size >= 512 } == true
        }.sorted()
        guard found.count == 1 else {
            throw Fault(
                .storeNotFound,
                found.isEmpty
                    ? "the folder \(asked) holds no store: name the file"
                    : "the folder \(asked) holds several files (\(found.prefix(5).joined(separator: ", "))): name one")
        }
        return "\(asked)/\(found[0])"
    }

    private static func isPlain(_ path: String, _ status: FileStatus) -> Bool {
        let header = Array("SQLite format 3\0".utf8)
        return status.size == 0 || (try? File.prefix(of: path, count: header.count)) == header
    }

    private static func library(isPlain: Bool) throws(Fault) -> SQLiteLibrary {
        guard isPlain else {
            return try SQLiteLibrary.find(.cipher)
        }
        do throws(Fault) {
            return try SQLiteLibrary.find(.plain)
        } catch {
            return try SQLiteLibrary.find(.cipher)
        }
    }

    /// What is opened.
    private struct Opened {
        let path: String
        /// The folder of a private copy.
        var folder: String?
        /// Whether a transaction in its -journal is to be undone first.
        var isToBeUndone = false
        /// The notes to print once it is open.
        var notice: String?
    }

    /// Says what is to be opened: the file itself, or a private copy of it where it cannot be read as it is.
    private static func prepare(
        _ path: String, _ opening: InspectOpening, _ options: inout StoreOptions
    ) throws(Fault) -> Opened {
        let log = File.size(path + "-wal")
        if File.size(path + "-journal") > 0, !opening.live {
            options.settings.journalMode = .delete
            var opened = try privateCopy(of: path, with: ["-journal"])
            opened.isToBeUndone = true
            opened.notice = "an unfinished transaction is undone in a private copy, not in the store"
            return opened
        }
        guard log > 0, !opening.live else { return Opened(path: path) }
        guard opening.ignoreWal else {
            return Opened(
                path: path, notice: "the -wal of \(log) bytes is read too; --ignore-wal leaves it out")
        }
        return try privateCopy(of: path, with: [])
    }

    /// A private copy of a file that lacks pages at its end; nil for a whole one, and for one that a -wal or a -journal
    /// may complete.
    private static func extended(_ path: String) throws(Fault) -> Opened? {
        guard let size = CutFile.wholeSize(of: path), ["-wal", "-journal"].allSatisfy({ File.size(path + $0) == 0 })
        else {
            return nil
        }
        let missing = size - File.size(path)
        var opened = try privateCopy(of: path, with: [])
        do { try CutFile.extend(opened.path, to: size) } catch {
            opened.folder.map(Folder.removeTree)
            throw Fault(.inputOutput, "cannot extend the private copy of \(path): \(error.reason)")
        }
        opened.notice = "the file lacks \(missing) bytes at its end"
        return opened
    }

    /// Copies the database to a folder that only this user may look into. The files of entries are linked.
    private static func privateCopy(of path: String, with sideFiles: [String]) throws(Fault) -> Opened {
        let folder: String
        do {
            folder = try Folder.makeTemporary()
            CleanEnd.watch { Folder.removeTree(folder) }
            let copy = folder + "/store.db"
            for suffix in [""] + sideFiles {
                try File.copy(path + suffix, to: copy + suffix)
            }
            let elements = "_external_soup_blobs"
            if File.exists(path + elements) {
                try File.makeLink(copy + elements, to: try DatabasePath.resolve(path) + elements)
            }
        } catch {
            throw Fault(
                .inputOutput, "cannot make a private copy of \(path): check that TMPDIR is writable and has room")
        }
        do throws(Fault) {
            // Who has opened it since may have written while it was copied.
            try requireUnused(path)
        } catch {
            Folder.removeTree(folder)
            throw error
        }
        return Opened(path: folder + "/store.db", folder: folder)
    }

    // MARK: - Opening

    /// Opens with the settings that are asked for, or with each of the usual ones in turn.
    private static func open(
        _ opened: Opened, _ options: StoreOptions, _ opening: InspectOpening
    ) throws(Fault) -> (SmartStore, String?) {
        guard options.key != nil else {
            return (try open(opened, options), nil)
        }
        let salt = try InspectKey.salt(opening)
        let presets = CipherPreset(rawValue: opening.cipher).map { [$0] } ?? CipherPreset.allCases
        var last: Fault?
        for preset in presets where preset != .mobileSDKShared || salt != nil || presets.count == 1 {
            var options = options
            options.settings.cipher = preset.settings(salt: preset == .mobileSDKShared ? salt : nil)
            if let rounds = opening.kdfIter {
                options.settings.cipher.kdfIterations = rounds
            }
            if let version = opening.compatibility {
                options.settings.cipher.compatibility = version
            }
            if let pageSize = opening.pageSize {
                options.settings.pageSize = pageSize
            }
            do throws(Fault) {
                let store = try open(opened, options)
                if opening.cipher == CipherPreset.automatic {
                    StandardError.say("soup inspect: encrypted with the settings \(preset.rawValue)")
                }
                return (store, preset.rawValue)
            } catch {
                guard error.code == .wrongKey || error.code == .notEncrypted else {
                    throw error
                }
                last = last ?? error
            }
        }
        throw last ?? Fault(.wrongKey, "none of the settings opens \(opened.path)")
    }

    /// Opens for reading only. A store that is opened for writing would go on with what is pending, and remove files of
    /// entries, which are those of the store itself also next to a copy.
    private static func open(_ opened: Opened, _ options: StoreOptions) throws(Fault) -> SmartStore {
        if opened.isToBeUndone {
            let connection = try Connection(
                path: opened.path, library: options.library, access: .readWrite, key: options.key,
                settings: options.settings)
            defer { connection.close() }
            // SQLite undoes the transaction before it reads.
            _ = try connection.integer("SELECT count(*) FROM sqlite_master")
        }
        return try SmartStore(path: opened.path, options: options)
    }
}
