import CSQLite
import Platform

/// The first page of a database, read with a key that may be wrong.
struct FirstPage {
    let handle: RawHandle
    /// The database file that the key is tried for; the handle may have a copy of its beginning.
    let path: String

    /// Whether the key is the right one, as far as the page shows it. The rest of the file may be missing or damaged,
    /// so a page that was decrypted correctly may still end in `corrupt`.
    var decrypts: Bool { !refuses(handle.execute("SELECT count(*) FROM sqlite_master")) }

    /// Whether a result code of reading the schema means that the key is wrong.
    ///
    /// That is NOTADB; and ERROR if the header is plain, because SQLite then recognises the file as a database and
    /// refuses a random format of its schema. One random format in 50 is a valid one: the page, which formats before
    /// SQLCipher 2 do not authenticate, is then CORRUPT, and what it says about free pages decides.
    func refuses(_ code: ResultCode) -> Bool {
        switch code.primary {
        case SQ_NOTADB, SQ_ERROR: true
        case SQ_CORRUPT: hasTooManyFreePages
        default: false
        }
    }

    /// Whether the page counts more free pages than the files can have. The count is at byte 36 of the header
    /// (https://sqlite.org/fileformat.html#the_database_header), and SQLite answers it without reading the schema.
    private var hasTooManyFreePages: Bool {
        guard let free = handle.answer(to: "PRAGMA freelist_count").flatMap({ Int64($0) }) else {
            return false
        }
        let smallestPage: Int64 = 512
        let bytes = ["", "-wal", "-journal"].reduce(into: Int64(0)) { sum, suffix in
            sum += FileStatus(of: path + suffix)?.size ?? 0
        }
        return free < 0 || free > bytes / smallestPage
    }
}
