import SQLiteAccess
import Soups

/// Keeps the entries of soups with external storage in files of their own, `TABLE_n/soupelt_<id>_<version>`, beside the
/// database.
///
/// A file is written, brought to the disk and named before the row that points to it is committed, and removed only
/// after the row that pointed to it is gone; what a crash leaves over is collected when the store is next opened for
/// writing. So a row always finds exactly its own version.
///
/// In a plain store a file is the JSON text, followed by its length and checksum. In a keyed store it is a small
/// database of the cipher library with that text as its only value: encrypted and authenticated by the same code as the
/// rest. Its key is random and kept inside the store's own, encrypted database, so no passphrase is derived for each
/// file, and a change of the store's key writes them anew under a new one.
final class ElementFiles {
    /// Where the tables' folders are.
    let root: String
    private let key: Key?
    private let library: SQLiteLibrary
    private var touched: Set<String> = []

    init(root: String, key: Key?, library: SQLiteLibrary) {
        self.root = root
        self.key = key
        self.library = library
    }

    static func root(ofStore path: String) -> String { path + "_external_soup_blobs" }

    func folder(ofTable table: Int64) -> String { "\(root)/TABLE_\(table)" }
    private func path(_ place: ElementPlace) -> String { "\(folder(ofTable: place.table))/\(place.fileName)" }

    /// Writes one version. It counts when `synchronize` has returned.
    func write(_ text: [UInt8], to place: ElementPlace) throws(Fault) {
        let folder = folder(ofTable: place.table)
        if !touched.contains(folder) {
            try FileSystem.makeFolder(folder)
            touched.insert(folder)
        }
        if let key {
            try ElementDatabase.write(text, to: path(place), key: key, library: library)
        } else {
            try FileSystem.write(ElementTrailer.append(to: text), to: path(place))
        }
    }

    /// Brings the names of the files written to the disk.
    func synchronize() throws(Fault) {
        for folder in touched {
            try FileSystem.synchronize(folder: folder)
            try FileSystem.synchronize(folder: root)
        }
        touched.removeAll()
    }

    /// Reads one version; `corrupt` where it is absent, cut off or changed.
    func read(_ place: ElementPlace) throws(Fault) -> [UInt8] {
        let path = path(place)
        if let key, FileSystem.exists(path) {
            return try ElementDatabase.read(path, key: key, library: library)
        }
        if let bytes = try FileSystem.read(path) {
            return try ElementTrailer.remove(from: bytes)
        }
        // A store of Mobile SDK without a key: the bare text.
        if key == nil, let bytes = try FileSystem.read("\(folder(ofTable: place.table))/\(place.legacyFileName)") {
            return bytes
        }
        throw Fault(.corrupt, "the file of an entry is missing")
    }

    func remove(_ place: ElementPlace) {
        FileSystem.removeTree(path(place))
        FileSystem.removeTree("\(folder(ofTable: place.table))/\(place.legacyFileName)")
    }

    /// The versions present of a table's entries, and the names of files that are none (left-over temporary ones).
    func contents(ofTable table: Int64) -> (places: Set<ElementPlace>, others: [String]) {
        var places: Set<ElementPlace> = []
        var others: [String] = []
        for name in FileSystem.names(in: folder(ofTable: table)) {
            if let place = ElementPlace(table: table, fileName: name) {
                places.insert(place)
            } else {
                others.append(name)
            }
        }
        return (places, others)
    }
}
