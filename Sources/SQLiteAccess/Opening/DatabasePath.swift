package import Soups

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Follows symbolic links, so that everything that hangs on a database's path is next to the file itself.
///
/// SQLite follows the links too and names the -wal after the file they lead to. A rename follows none: it would replace
/// the link.
package enum DatabasePath {
    /// As many links as Linux follows for one path.
    private static let mostLinks = 40

    /// Gives the absolute path without links of a file, which need not exist: a link without a target says where it
    /// would be made.
    ///
    /// A path into a folder that is missing or cannot be searched comes back as it is: opening it says what is wrong.
    ///
    /// - Throws: `inputOutput` where links lead in a circle, or the path cannot be written as text.
    package static func resolve(_ path: String) throws(Fault) -> String {
        guard !path.utf8.contains(0) else {
            throw Fault(.inputOutput, "a path with a NUL in it names no file")
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

    /// The path that the system gives to an existing file or folder; nil where there is none.
    private static func realPath(_ path: String) throws(Fault) -> String? {
        guard let found = realpath(path, nil) else {
            guard errno != ELOOP else {
                throw circle(path)
            }
            return nil
        }
        defer { free(found) }
        return try text(UnsafeBufferPointer(start: found, count: strlen(found)))
    }

    /// Where a symbolic link leads; nil where there is no link of that name.
    private static func linkTarget(_ path: String) throws(Fault) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        return try buffer.withUnsafeBufferPointer { bytes throws(Fault) in
            try text(UnsafeBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String)? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return path.isEmpty || path == "." || path == ".." ? nil : (".", path)
        }
        let name = String(path[path.utf8.index(after: slash)...])
        guard !name.isEmpty, name != ".", name != ".." else { return nil }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static func text(_ bytes: UnsafeBufferPointer<CChar>) throws(Fault) -> String {
        guard let text = String(validating: UnsafeRawBufferPointer(bytes), as: UTF8.self) else {
            throw Fault(.inputOutput, "a folder on the way to the database has a name that is not UTF-8: rename it")
        }
        return text
    }

    private static func circle(_ path: String) -> Fault {
        Fault(.inputOutput, "the path \(path) leads through symbolic links in a circle")
    }
}
