import Libc

extension File {
    /// Gives a file a second name; both names must be on one file system.
    package static func link(_ path: String, to other: String) throws(SystemError) {
        guard Libc.link(path, other) == 0 else {
            throw .last("link a file")
        }
    }

    /// Makes a symbolic link.
    package static func makeLink(_ path: String, to target: String) throws(SystemError) {
        guard symlink(target, path) == 0 else {
            throw .last("link a file")
        }
    }

    /// Copies a file to a new one that only its owner may read and write, and brings it to the disk.
    package static func copy(_ path: String, to other: String) throws(SystemError) {
        let source = try OpenFile(path)
        let target = try OpenFile(other, .creating)
        do {
            while true {
                let piece = try source.read(atMost: 1 << 20)
                if piece.isEmpty {
                    break
                }
                try target.write(piece)
            }
            try target.synchronize()
        } catch {
            remove(other)
            throw error
        }
    }

    /// Gives a file a second name, or copies it where that is refused.
    package static func linkOrCopy(_ path: String, to other: String) throws(SystemError) {
        do throws(SystemError) {
            try link(path, to: other)
        } catch {
            guard !error.isMissing, !error.isDiskFull, !exists(other) else {
                throw error
            }
            try copy(path, to: other)
        }
    }

    /// Brings the content of a file to the disk.
    package static func synchronize(_ path: String) throws(SystemError) { try OpenFile(path).synchronize() }
}
