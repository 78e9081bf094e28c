import CSQLite
public import Soups
import Synchronization

/// Holds one loaded SQLite library: plain SQLite or SQLCipher. Both may be loaded at once; neither is linked.
///
/// ```swift
/// // SQLCipher if it is installed: it opens plain stores too.
/// let cipher = try? SQLiteLibrary.find(.cipher)
/// let library = try cipher ?? SQLiteLibrary.find(.plain)
/// let version = library.version
/// ```
///
/// Loading a path twice gives the same object; a library stays loaded to the end of the process. Safe to use from any
/// thread. Source: https://sqlite.org/c3ref/funclist.html.
public final class SQLiteLibrary: Sendable {
    /// Names the two kinds of library.
    public enum Flavour: String, Sendable, Hashable, CaseIterable {
        /// SQLite as the system has it.
        case plain
        /// SQLCipher 4 or newer. Without a key it writes unencrypted files.
        case cipher
    }

    /// How a library came into the process.
    public enum Source: Sendable, Hashable, CustomStringConvertible {
        /// It was loaded from a path, or by a name that the system's loader knows, and keeps to itself.
        case loaded(path: String)
        /// It was in the process already, because the program links it. It is used as it is and never configured.
        case shared(path: String)
        /// It was linked with this package.
        case linked(name: String)

        public var description: String {
            switch self {
            case .loaded(let path): "loaded from \(path)"
            case .shared(let path): "shared with the program, \(path)"
            case .linked(let name): "linked, \(name)"
            }
        }
    }

    /// Says what happens if the program links another SQLite, as a program does that also uses GRDB.
    public enum Isolation: Sendable, Hashable {
        /// The library that is linked is shared if it is the wanted one; any other is loaded so that it calls its own
        /// functions. Neither harms the other.
        case automatic
        /// Only the library that is linked, if one is.
        case shared
        /// A copy of its own, also of the library that is linked.
        case deepBind
    }

    /// The kind of the library.
    public let flavour: Flavour
    /// Where it was loaded from: a path, or a name that the system's loader knows.
    public let path: String
    /// How it came into the process.
    public let source: Source
    /// SQLite's version, for example `3.46.1`.
    public let version: String
    /// SQLite's id of the sources from which the library was built.
    public let sourceID: String
    /// What the library can do.
    public let capabilities: Capabilities
    /// The options it was compiled with, sorted, as SQLite lists them.
    public let compileOptions: [String]

    /// The function table. `nonisolated(unsafe)` because a pointer is not `Sendable`: it is written once, before the
    /// object is shared, and lives as long as the process, since libraries are never unloaded.
    nonisolated(unsafe) let table: UnsafePointer<sq_api>

    /// The oldest version of SQLite that is accepted. 3.38 is the first that gives the offset of an error.
    public static let oldestVersion = "3.38.0"

    init(flavour: Flavour, path: String, source: Source, table filled: sq_api) throws(Fault) {
        let table = UnsafeMutablePointer<sq_api>.allocate(capacity: 1)
        table.initialize(to: filled)
        self.table = UnsafePointer(table)
        self.flavour = flavour
        self.path = path
        self.source = source
        version = String(cString: sq_libversion(table))
        sourceID = String(cString: sq_sourceid(table))
        guard sq_libversion_number(table) >= 3_038_000 else {
            throw Fault(.libraryUnavailable, "\(path) is SQLite \(version); \(Self.oldestVersion) or newer is needed")
        }
        guard sq_threadsafe(table) != 0 else {
            throw Fault(
                .libraryUnavailable,
                "\(path) was built for one thread only; a build with SQLITE_THREADSAFE=1 or 2 is needed")
        }
        capabilities = try Capabilities(probing: self.table)
        // Its inner calls must not go to another library of the process.
        guard capabilities.sourceID == sourceID else {
            throw Fault(
                .libraryUnavailable,
                "\(path) calls functions of another SQLite in this process: name another library, or do not link that one"
            )
        }
        // A shared library belongs to the program: how it logs is its own affair.
        if capabilities.encryption {
            switch source {
            case .loaded, .linked: CipherLog.silence(self.table)
            case .shared: break
            }
        }
        compileOptions = Self.compileOptions(of: self.table)
        if flavour == .cipher, (capabilities.cipherVersion.map(Self.majorVersion) ?? 0) < 4 {
            throw Fault(
                .libraryUnavailable,
                "\(path) is not SQLCipher 4 or newer: its cipher_version is \(capabilities.cipherVersion ?? "nothing")")
        }
    }

    private static func majorVersion(_ text: String) -> Int {
        Int(text.prefix { $0.isNumber }) ?? 0
    }

    private static func compileOptions(of table: UnsafePointer<sq_api>) -> [String] {
        var options: [String] = []
        while let option = sq_compileoption_get(table, Int32(options.count)) {
            options.append(String(cString: option))
        }
        return options.sorted()
    }
}

extension SQLiteLibrary {
    private static let loaded = Mutex<[ByteKey: SQLiteLibrary]>([:])

    /// Loads the library at a path, or returns the one that was loaded from there before.
    ///
    /// - Parameters:
    ///   - flavour: The kind of library that is expected at that path.
    ///   - path: A path, or a name that the system's loader knows.
    ///   - isolation: What happens if the program links another SQLite.
    /// - Throws: `libraryUnavailable`, with the system's message.
    public static func load(
        _ flavour: Flavour, at path: String, isolation: Isolation = .automatic
    ) throws(Fault) -> SQLiteLibrary {
        let key = ByteKey("\(flavour.rawValue) \(isolation) \(path)")
        let outcome: Result<SQLiteLibrary, Fault> = loaded.withLock { loaded in
            if let library = loaded[key] {
                return .success(library)
            }
            do throws(Fault) {
                let (table, isShared) = try fill(from: path, isolation)
                let library = try SQLiteLibrary(
                    flavour: flavour, path: path, source: isShared ? .shared(path: path) : .loaded(path: path),
                    table: table)
                loaded[key] = library
                return .success(library)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func fill(
        from path: String, _ isolation: Isolation
    ) throws(Fault) -> (table: sq_api, isShared: Bool) {
        var table = sq_api()
        var isShared: Int32 = 0
        let (result, detail) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            let result = sq_load(path, isolation.code, &table, &isShared, buffer.baseAddress, buffer.count)
            return (result, buffer.baseAddress.map { String(cString: $0) } ?? "")
        }
        switch result {
        case SQ_LOADED:
            return (table, isShared != 0)
        case SQ_FUNCTION_MISSING:
            throw Fault(
                .libraryUnavailable, "\(path) has no function \(detail); SQLite \(oldestVersion) or newer is needed")
        case SQ_NOT_SHARED:
            throw Fault(
                .libraryUnavailable,
                "this program links another SQLite than \(path): use automatic isolation, or link that one"
            )
        case SQ_NOT_ISOLATED:
            throw Fault(
                .libraryUnavailable,
                """
                another SQLite is linked into this process, and \(path) would call into it, because the system or a \
                sanitizer does not allow deep binding: link the library that is to be used, or none
                """)
        default:
            throw Fault(.libraryUnavailable, "\(path) cannot be loaded: \(detail)")
        }
    }
}

extension SQLiteLibrary.Isolation {
    fileprivate var code: sq_isolation {
        switch self {
        case .automatic: SQ_ISOLATION_AUTOMATIC
        case .shared: SQ_ISOLATION_SHARED
        case .deepBind: SQ_ISOLATION_DEEP
        }
    }
}
