import Platform
import SQLiteAccess
import Soups

/// Copies the files of a store's external entries next to a copy of its database.
///
/// They are linked while the writer's lock is held, which takes moments: a version is removed only after a commit, and
/// never changed. If encryption comes or goes, the linked files are then written anew and removed.
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

    /// Links every file of the store's tables into the copy. The caller holds the writer's lock.
    func link() throws(Fault) {
        for name in Folder.names(in: source.root) where SoupTableName(name) != nil {
            let folder = root + directory + "/" + name
            try Folder.makeForStore(folder)
            for file in Folder.names(in: "\(source.root)/\(name)") where !file.utf8.contains(UInt8(ascii: ".")) {
                try Fault.translating(File.linkOrCopy("\(source.root)/\(name)/\(file)", to: "\(folder)/\(file)"))
            }
        }
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
        for table in try SoupReading.externalTables(copy) {
            let rows = try copy.prepare("SELECT id, lastModified FROM \(SoupTableName(table))")
            while try rows.step() {
                let place = ElementPlace(table: table, id: rows.integer(at: 0), version: rows.integer(at: 1))
                try new.write(old.readExisting(place), to: place)
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

    /// Brings the names of all folders to the disk.
    func synchronize() throws(Fault) { try Self.synchronize(root) }

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
