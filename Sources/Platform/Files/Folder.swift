import Libc

/// Folders by their paths.
package enum Folder {
    /// Makes a folder that only its owner may look into; fails if something has the name.
    package static func make(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o700) == 0 else {
            throw .last("make a folder")
        }
    }

    /// Makes a folder with those above it that are missing; does nothing if it is there.
    package static func makeAll(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            return try makeUnlessThere(path)
        } catch {
            let above = Path.folder(of: path)
            guard error.isMissing, above != path else {
                throw error
            }
            try makeAll(above)
        }
        try makeUnlessThere(path)
    }

    private static func makeUnlessThere(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try make(path)
        } catch {
            guard FileStatus(of: path)?.kind == .folder else {
                throw error
            }
        }
    }

    /// Makes a folder for temporary files, which only its owner may look into and whose name cannot be guessed.
    package static func makeTemporary() throws(SystemError) -> String {
        let parent = CurrentProcess.environment("TMPDIR") ?? "/tmp"
        var template = Array((parent + "/soup-XXXXXX").utf8CString)
        let path = template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return nil }
            return String(cString: start)
        }
        guard let path else {
            throw .last("make a folder")
        }
        return path
    }

    /// Brings the names in a folder to the disk.
    package static func synchronize(_ path: String) throws(SystemError) { try OpenFile(folder: path).synchronize() }

    /// The working folder and all above it, nearest first; empty if the system does not say.
    package static func upwards() -> [String] {
        guard let start = getcwd(nil, 0) else {
            return []
        }
        defer { free(start) }
        var folders: [String] = []
        var parts = String(cString: start).split(separator: "/")
        while true {
            folders.append("/" + parts.joined(separator: "/"))
            guard parts.popLast() != nil else {
                return folders
            }
        }
    }
}
