import Platform
public import Soups

extension SQLiteLibrary {
    /// Finds and loads a library: the one at the given path, else the first candidate that is accepted.
    ///
    /// Candidates, in this order: the environment (`SOUP_SQLITE`, `SOUP_SQLCIPHER`: if set, nothing else is tried), the
    /// library that a trait of the package links (`SQLCipher`, `LinkedSQLite`), the
    /// folder `cipher` that `ci/setup` keeps in the package root (searched in the working folder and those above it),
    /// the per-user data folder, then the names the system's loader knows, newest first. A SQLCipher is accepted only
    /// if it answers a `cipher_version` of 4 or more: Debian 12's own is of 2016.
    ///
    /// A program that links another SQLite, for itself or through another package, needs no option: see ``Isolation``.
    /// But never open one file through two libraries of a process: the system drops the locks of both.
    ///
    /// - Throws: `libraryUnavailable`, whose message lists the candidates.
    public static func find(
        _ flavour: Flavour, at path: String? = nil, isolation: Isolation = .automatic
    ) throws(Fault) -> SQLiteLibrary {
        if let named = path ?? CurrentProcess.environment(flavour == .plain ? "SOUP_SQLITE" : "SOUP_SQLCIPHER") {
            return try load(flavour, at: named, isolation: isolation)
        }
        if let library = try linked(flavour) {
            return library
        }
        var refusals: [String] = []
        for candidate in candidates(flavour) {
            do throws(Fault) {
                return try load(flavour, at: candidate, isolation: isolation)
            } catch {
                if !refusals.contains(error.message) {
                    refusals.append(error.message)
                }
            }
        }
        let advice =
            flavour == .cipher
            ? "run ci/setup, or name a SQLCipher 4 in SOUP_SQLCIPHER" : "install libsqlite3, or name it in SOUP_SQLITE"
        throw Fault(
            .libraryUnavailable,
            "no \(flavour == .cipher ? "SQLCipher 4" : "SQLite") found: \(advice) (\(refusals.joined(separator: "; ")))"
        )
    }

    static func candidates(_ flavour: Flavour) -> [String] {
        switch flavour {
        case .plain: plainNames
        case .cipher: folders().flatMap(cipherFiles) + cipherNames
        }
    }

    /// The folders in which a library may have been unpacked, nearest first.
    private static func folders() -> [String] {
        var folders = Folder.upwards().map { $0 + "/cipher" }
        if let data = CurrentProcess.environment("XDG_DATA_HOME")
            ?? CurrentProcess.environment("HOME").map({ $0 + "/.local/share" })
        {
            folders.append(data + "/offline-core")
        }
        return folders
    }

    /// The paths at which an unpacked package, or a single file copied there, has its library.
    private static func cipherFiles(in folder: String) -> [String] {
        let libraryFolders = [
            folder, folder + "/usr/lib", folder + "/usr/lib/x86_64-linux-gnu", folder + "/usr/lib/aarch64-linux-gnu",
        ]
        return libraryFolders.flatMap { libraryFolder in
            Folder.names(in: libraryFolder).filter { $0.hasPrefix("libsqlcipher.") }.sorted().reversed().map {
                libraryFolder + "/" + $0
            }
        }
    }

    private static let plainNames =
        HostSystem.isDarwin
        ? ["/usr/lib/libsqlite3.dylib", "libsqlite3.dylib"] : ["libsqlite3.so.0", "libsqlite3.so"]

    /// On Apple systems first the frameworks that an app brings, then what a Mac may have installed.
    private static let cipherNames =
        HostSystem.isDarwin
        ? [
            "@rpath/SQLCipher.framework/SQLCipher", "@executable_path/Frameworks/SQLCipher.framework/SQLCipher",
            "@executable_path/../Frameworks/SQLCipher.framework/SQLCipher", "libsqlcipher.dylib",
            "/opt/homebrew/lib/libsqlcipher.dylib", "/usr/local/lib/libsqlcipher.dylib",
        ]
        : ["libsqlcipher.so.3", "libsqlcipher.so.2", "libsqlcipher.so.1", "libsqlcipher.so.0", "libsqlcipher.so"]
}
