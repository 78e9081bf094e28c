import Platform
package import Soups

/// Resolves symbolic links, so that everything that belongs to a database is next to the file itself.
///
/// SQLite follows the links too and names the -wal after the file they lead to. A rename does not: it would replace the
/// link.
package enum DatabasePath {
    /// Linux follows as many links in one path.
    private static let mostLinks = 40

    /// Returns the absolute path of a file without symbolic links. The file need not exist: a link without a target
    /// leads to where the file would be created.
    ///
    /// A path into a folder that is missing or cannot be searched is returned unchanged: opening it says what is wrong.
    ///
    /// - Throws: `inputOutput` if the links form a circle, or the path is not valid UTF-8.
    package static func resolve(_ path: String) throws(Fault) -> String {
        guard !path.utf8.contains(0) else {
            throw Fault(.inputOutput, "a path must not contain NUL")
        }
        var current = path
        for _ in 0..<mostLinks {
            if let real = try realPath(current) {
                return real
            }
            guard let (folder, name) = split(current), let realFolder = try realPath(folder) else {
                return path
            }
            let candidate = (realFolder == "/" ? "" : realFolder) + "/" + name
            guard let target = try linkTarget(candidate) else {
                return candidate
            }
            current = target.utf8.first == UInt8(ascii: "/") ? target : realFolder + "/" + target
        }
        throw circle(path)
    }

    /// The system's path of an existing file or folder; nil if it does not exist.
    private static func realPath(_ path: String) throws(Fault) -> String? {
        do {
            return try Path.real(path)
        } catch {
            guard !error.isCircle else {
                throw circle(path)
            }
            guard !error.isNotText else {
                throw notText
            }
            return nil
        }
    }

    /// The target of a symbolic link; nil if there is no link of that name.
    private static func linkTarget(_ path: String) throws(Fault) -> String? {
        do { return try Path.target(ofLink: path) } catch { throw notText }
    }

    private static func split(_ path: String) -> (folder: String, name: String)? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return path.isEmpty || path == "." || path == ".." ? nil : (".", path)
        }
        let name = String(path[path.utf8.index(after: slash)...])
        guard !name.isEmpty, name != ".", name != ".." else { return nil }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static let notText = Fault(
        .inputOutput, "a folder on the way to the database has a name that is not UTF-8: rename it")

    private static func circle(_ path: String) -> Fault {
        Fault(.inputOutput, "the symbolic links of the path \(path) form a circle")
    }
}
