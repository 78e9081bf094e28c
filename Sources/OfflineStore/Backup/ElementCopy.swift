import Platform
import SQLiteAccess
import Soups

/// Copies the files of a store's external entries next to a copy of its database.
///
/// They are linked while the writer's lock is held, which takes moments: a version is removed only after a commit, and
/// never changed. If encryption comes or goes, the linked files are then written again and removed.
struct ElementCopy {
    /// The folder of the store's files, with the key that they were written with.
    let source: ElementFiles
    /// The root folder of the copy.
    let root: String
    /// The folder below both roots that the record in the database names.
    private let directory: String

    /// Nil if the store has no such files.
    init?(of connection: Connection, toStore path: String) throws(Fault) {
        source = try ElementVault.open(connection)
        guard File.exists(source.root) else { return nil }
        root = ElementFiles.root(ofStore: path)
        let whole = ElementFiles.root(ofStore: connection.path)
        directory = String(source.root.dropFirst(whole.count))
    }

    /// The files of the copy, as they were linked.
    private var linked: ElementFiles { source.at(root + directory) }

    /// Links the files that a state names into the copy. The caller holds the writer's lock.
    ///
    /// Others may be there that no commit names, or no longer: another process removes them at any moment.
    func link(_ state: Connection) throws(Fault) {
        let isAltered = try LongOperation.isUnderway(state)
        let tables = try ElementTables(state).numbers
        for name in Folder.names(in: source.root) {
            guard let table = SoupTableName(name)?.id else { continue }
            let folder = root + directory + "/" + name
            try Folder.makeForStore(folder)
            // An alteration goes on in the copy with all that it has made.
            let files =
                isAltered
                ? Folder.names(in: "\(source.root)/\(name)").filter { !$0.utf8.contains(UInt8(ascii: ".")) }
                : tables.contains(table) ? try named(table, state) : []
            for file in files {
                do throws(SystemError) {
                    try File.linkOrCopy("\(source.root)/\(name)/\(file)", to: "\(folder)/\(file)")
                } catch {
                    // A file that is named and missing was lost before.
                    guard error.isMissing else {
                        throw Fault(error)
                    }
                }
            }
        }
    }

    /// The names of the files of a table's rows. A row without a file of this library has one of Mobile SDK.
    private func named(_ table: Int64, _ state: Connection) throws(Fault) -> [String] {
        let contents = source.contents(ofTable: table)
        let rows = try state.prepare("SELECT id, lastModified FROM \(SoupTableName(table))")
        var names: [String] = []
        while try rows.step() {
            let element = ElementVersion(table: table, id: rows.integer(at: 0), version: rows.integer(at: 1))
            names.append(contents.elements.contains(element) ? element.fileName : element.legacyFileName)
        }
        return names
    }

    /// Writes the files of the copy under another key, or without one, and notes that in its database.
    func encryptAnew(
        for copy: Connection, keyed: Bool, _ progress: (CopyProgress) -> Void
    ) throws(Fault) {
        let old = linked
        let name = "g" + String(UInt64.random(in: .min ... .max), radix: 16)
        let key = keyed ? Key.random() : nil
        let new = ElementFiles(root: root + "/" + name, key: key, library: copy.library)
        let formerFolders = Folder.names(in: old.root)
        var done = 0
        let tables = try ElementTables(copy)
        for table in tables.numbers.sorted() {
            let rows = try copy.prepare("SELECT id, lastModified FROM \(SoupTableName(table))")
            while try rows.step() {
                let element = ElementVersion(table: table, id: rows.integer(at: 0), version: rows.integer(at: 1))
                guard let text = try tables.text(at: element, in: old) else { continue }
                try new.write(text, to: element)
                done += 1
                progress(CopyProgress(phase: .files, done: done, total: 0))
            }
        }
        try new.synchronize()
        try ElementVault.establish(copy, keyed: keyed, directory: name)
        try ElementVault.replace(copy, directory: name, key: key)
        for folder in formerFolders where folder != name {
            Folder.removeTree("\(old.root)/\(folder)")
        }
        if !directory.isEmpty {
            Folder.removeTree(old.root)
        }
    }

    /// Brings the names of all folders to the disk. There are none where the store's own folder is empty, as it is when
    /// the last soup with such files was removed.
    func synchronize() throws(Fault) {
        guard File.exists(root) else { return }
        try Self.synchronize(root)
    }

    static func synchronize(_ root: String) throws(Fault) {
        var folders = [root]
        while let folder = folders.popLast() {
            try Fault.translating(Folder.synchronize(folder))
            for name in Folder.names(in: folder) where FileStatus(ofLink: "\(folder)/\(name)")?.kind == .folder {
                folders.append("\(folder)/\(name)")
            }
        }
    }
}
