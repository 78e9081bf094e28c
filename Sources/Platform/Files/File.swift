import Libc

/// Whole files by their paths.
///
/// Never for a database file that a connection of this process may have open (see `OpenFile`), except `exists` and
/// `size`, which do not open it.
package enum File {
    /// Whether a path leads to a file or folder.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Bytes of a file, 0 if it is missing.
    package static func size(_ path: String) -> Int64 { FileStatus(of: path)?.size ?? 0 }

    /// The whole content; `nil` if the file does not exist.
    package static func read(_ path: String, limit: Int = .max) throws(SystemError) -> [UInt8]? {
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(path)
        } catch {
            guard error.isMissing else {
                throw error
            }
            return nil
        }
        return try file.readAll(limit: limit)
    }

    /// The first bytes of a file, at most `count`.
    package static func prefix(of path: String, count: Int) throws(SystemError) -> [UInt8] {
        try OpenFile(path).read(exactly: count)
    }

    /// Writes a new file that only its owner may read and write; fails if something has the name.
    package static func create(_ path: String, _ bytes: [UInt8] = []) throws(SystemError) {
        try OpenFile(path, .creating).write(bytes)
    }

    /// Writes a file under a temporary name, brings it to the disk, then gives it its name. What had the name before is
    /// replaced whole, or not at all.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let temporary = path + ".tmp"
        let file = try OpenFile(temporary, .replacing)
        do {
            try file.write(bytes)
            try file.synchronize()
        } catch {
            remove(temporary)
            throw error
        }
        try rename(temporary, to: path)
    }

    /// Gives a file or folder another name, in place of the file that has it.
    package static func rename(_ path: String, to other: String) throws(SystemError) {
        guard Libc.rename(path, other) == 0 else {
            throw .last("rename a file")
        }
    }

    /// Removes a file and says whether there was one. A folder stays.
    @discardableResult
    package static func remove(_ path: String) -> Bool { unlink(path) == 0 }
}
