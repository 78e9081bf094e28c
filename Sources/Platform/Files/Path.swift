import Libc

/// Paths as text, and where symbolic links lead.
package enum Path {
    /// The folder a file is in: `.` for a bare name.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return "."
        }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The absolute path, without links, of a file or folder that is there.
    ///
    /// - Throws: the system's error; `isNotText` if a name on the way is not UTF-8.
    package static func real(_ path: String) throws(SystemError) -> String {
        guard let found = realpath(path, nil) else {
            throw .last("find a file")
        }
        defer { free(found) }
        return try text(UnsafeBufferPointer(start: found, count: strlen(found)))
    }

    /// Where a symbolic link leads; nil if no link has the name.
    ///
    /// - Throws: `isNotText`.
    package static func target(ofLink path: String) throws(SystemError) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        return try buffer.withUnsafeBufferPointer { bytes throws(SystemError) in
            try text(UnsafeBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private static func text(_ bytes: UnsafeBufferPointer<CChar>) throws(SystemError) -> String {
        guard let text = String(validating: UnsafeRawBufferPointer(bytes), as: UTF8.self) else {
            throw SystemError("read the name of a folder", EILSEQ)
        }
        return text
    }
}
