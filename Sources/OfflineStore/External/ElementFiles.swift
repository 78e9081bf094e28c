import Platform
import SQLiteAccess
import Soups

/// Keeps the entries of soups with external storage in files of their own, `TABLE_n/soupelt_<id>_<version>`, next to
/// the database.
///
/// A file is written, synchronized to the disk and renamed before the row that refers to it is committed, and removed
/// only after that row is gone. What a crash leaves is removed when the store is next opened for writing. So a row
/// always finds exactly its own version.
///
/// In a plain store a file is the JSON text, followed by its length and checksum. In a keyed store it is a small
/// database of the cipher library with that text as its only value, encrypted and authenticated as the store is. Its
/// key is random and kept inside the store's own, encrypted database, so no passphrase is derived for each file, and a
/// change of the store's key rewrites the files under a new one.
final class ElementFiles {
    /// The folder that contains the folders of the tables.
    let root: String
    private let key: Key?
    private let library: SQLiteLibrary
    /// Folders in which files were written and whose names are not synchronized to the disk yet.
    private(set) var touched: Set<String> = []

    init(root: String, key: Key?, library: SQLiteLibrary) {
        self.root = root
        self.key = key
        self.library = library
    }

    /// The same files in another folder.
    func at(_ root: String) -> ElementFiles { ElementFiles(root: root, key: key, library: library) }

    static func root(ofStore path: String) -> String { path + suffix }

    private static let suffix = "_external_soup_blobs"

    func folder(ofTable table: Int64) -> String { "\(root)/\(SoupTableName(table))" }
    private func path(_ element: ElementVersion) -> String { "\(folder(ofTable: element.table))/\(element.fileName)" }

    /// Writes one version. It is durable when `synchronize` has returned.
    func write(_ text: [UInt8], to element: ElementVersion) throws(Fault) {
        let folder = folder(ofTable: element.table)
        if !touched.contains(folder) {
            if !File.exists(folder) {
                try makeFolder(folder)
            }
            touched.insert(folder)
        }
        if let key {
            try ElementDatabase.write(text, to: path(element), key: key, library: library)
        } else {
            try Fault.translating(File.replace(path(element), with: ElementTrailer.append(to: text)))
        }
    }

    /// Creates a folder and synchronizes its name, and those of the folders around it, to the disk: without them the
    /// files in it would be lost.
    private func makeFolder(_ folder: String) throws(Fault) {
        try Folder.makeForStore(folder)
        var path = folder
        repeat {
            let name = path
            path = Path.folder(of: path)
            try Fault.translating(Folder.synchronize(path))
            if name.hasSuffix(Self.suffix) {
                break
            }
        } while path != "." && path != "/"
    }

    /// Synchronizes the names of the written files to the disk.
    func synchronize() throws(Fault) {
        try Self.synchronize(touched)
        touched.removeAll()
    }

    /// Synchronizes the names in folders of tables to the disk.
    static func synchronize(_ folders: Set<String>) throws(Fault) {
        for folder in folders {
            try Fault.translating(Folder.synchronize(folder))
            try Fault.translating(Folder.synchronize(Path.folder(of: folder)))
        }
    }

    /// Reads one version; nil if it has no file. A reader whose state is older than the last commit may find none.
    ///
    /// - Throws: `corrupt` if the file is cut off or changed.
    func read(_ element: ElementVersion) throws(Fault) -> [UInt8]? {
        let path = path(element)
        if let key {
            return try ElementDatabase.read(path, key: key, library: library)
        }
        if let bytes = try Fault.translating(File.read(path)) {
            return try ElementTrailer.remove(from: bytes)
        }
        // A store of Mobile SDK without a key: the bare text.
        return try Fault.translating(File.read("\(folder(ofTable: element.table))/\(element.legacyFileName)"))
    }

    /// Reads one version that no other connection can remove. Also throws `corrupt` if it has no file.
    func readExisting(_ element: ElementVersion) throws(Fault) -> [UInt8] {
        guard let text = try read(element) else {
            throw Self.missing
        }
        return text
    }

    static let missing = Fault(.corrupt, "the file of an entry is missing")

    /// Whether a version has a file with the name that this library gives, not that of Mobile SDK.
    func exists(_ element: ElementVersion) -> Bool { File.exists(path(element)) }

    /// Removes the file of exactly this version, as after a rollback: a file that Mobile SDK wrote may still be the
    /// entry's only one.
    func remove(_ element: ElementVersion) { File.remove(path(element)) }

    /// Removes the file of a version whose row was changed or removed for good, whichever name the file has.
    func removeFormer(_ element: ElementVersion) {
        if File.remove(path(element)) {
            return
        }
        File.remove("\(folder(ofTable: element.table))/\(element.legacyFileName)")
    }

    /// Removes the folder of a removed soup if it is empty.
    func removeEmptyFolder(ofTable table: Int64) { Folder.removeIfEmpty(folder(ofTable: table)) }

    /// The versions of a table's entries that have files, and the names of other files (left-over temporary ones).
    func contents(ofTable table: Int64) -> (elements: Set<ElementVersion>, others: [String]) {
        var elements: Set<ElementVersion> = []
        var others: [String] = []
        for name in Folder.names(in: folder(ofTable: table)) {
            if let element = ElementVersion(table: table, fileName: name) {
                elements.insert(element)
            } else {
                others.append(name)
            }
        }
        return (elements, others)
    }
}
