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

    /// The kind of the library.
    public let flavour: Flavour
    /// Where it was loaded from: a path, or a name that the system's loader knows.
    public let path: String
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

    init(flavour: Flavour, path: String, table filled: sq_api) throws(Fault) {
        let table = UnsafeMutablePointer<sq_api>.allocate(capacity: 1)
        table.initialize(to: filled)
        self.table = UnsafePointer(table)
        self.flavour = flavour
        self.path = path
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
        if capabilities.encryption {
            CipherLog.silence(self.table)
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
    ///   - deepBind: Makes the library prefer its own functions if another SQLite is linked into the process (Linux
    ///     only; not under the address sanitizer).
    /// - Throws: `libraryUnavailable`, with the system's message.
    public static func load(_ flavour: Flavour, at path: String, deepBind: Bool = false) throws(Fault) -> SQLiteLibrary
    {
        let key = ByteKey("\(flavour.rawValue) \(path)")
        let outcome: Result<SQLiteLibrary, Fault> = loaded.withLock { loaded in
            if let library = loaded[key] {
                return .success(library)
            }
            do throws(Fault) {
                let library = try SQLiteLibrary(
                    flavour: flavour, path: path, table: fill(from: path, deepBind: deepBind))
                loaded[key] = library
                return .success(library)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func fill(from path: String, deepBind: Bool) throws(Fault) -> sq_api {
        var table = sq_api()
        let (result, detail) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            let result = sq_load(path, deepBind ? 1 : 0, &table, buffer.baseAddress, buffer.count)
            return (result, buffer.baseAddress.map { String(cString: $0) } ?? "")
        }
        switch result {
        case SQ_LOADED:
            return table
        case SQ_FUNCTION_MISSING:
            throw Fault(
                .libraryUnavailable, "\(path) has no function \(detail); SQLite \(oldestVersion) or newer is needed")
        case SQ_OTHER_SQLITE_LINKED:
            throw Fault(
                .libraryUnavailable,
                "another SQLite is linked into this process, and \(path) would call into it: load with deepBind, or do not link it"
            )
        default:
            throw Fault(.libraryUnavailable, "\(path) cannot be loaded: \(detail)")
        }
    }
}
