import Libc

extension Folder {
    /// The names in a folder, in no order; empty if it cannot be read.
    package static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else {
            return []
        }
        defer { closedir(stream) }
        return rawNames { readdir(stream) }.map { name in
            String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Bytes and number of all files in a folder and below it, 0 if the folder is missing. Symbolic links are not
    /// followed.
    package static func size(below path: String) -> (bytes: Int64, files: Int) {
        var total: (bytes: Int64, files: Int) = (0, 0)
        var folders = [path]
        while let folder = folders.popLast() {
            for name in names(in: folder) {
                guard let status = FileStatus(ofLink: folder + "/" + name) else { continue }
                if status.kind == .folder {
                    folders.append(folder + "/" + name)
                } else {
                    total.bytes += status.size
                    total.files += 1
                }
            }
        }
        return total
    }

    /// Removes a folder with everything in it, or a file. Does nothing if it is missing.
    ///
    /// A symbolic link is removed, and never what it leads to, not even if it replaces a folder during the removal.
    package static func removeTree(_ path: String) { remove(Array(path.utf8CString), in: AT_FDCWD) }

    /// Removes the files in a folder; folders in it stay.
    package static func empty(_ path: String) {
        for name in names(in: path) {
            File.remove(path + "/" + name)
        }
    }

    /// Removes a folder that is empty; any other stays.
    package static func removeIfEmpty(_ path: String) { rmdir(path) }

    private static func remove(_ name: [CChar], in parent: Int32) {
        if unlinkat(parent, name, 0) == 0 {
            return
        }
        // The stream takes the descriptor over.
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, let stream = fdopendir(descriptor) else { return }
        defer { closedir(stream) }
        for child in rawNames({ readdir(stream) }) {
            remove(child, in: descriptor)
        }
        _ = unlinkat(parent, name, AT_REMOVEDIR)
    }

    /// The names as the system has them, which need not be UTF-8, each with its final zero.
    private static func rawNames(_ next: () -> UnsafeMutablePointer<dirent>?) -> [[CChar]] {
        var names: [[CChar]] = []
        while let entry = next() {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            }
            let dot = CChar(bitPattern: UInt8(ascii: "."))
            if name != [dot, 0], name != [dot, dot, 0] {
                names.append(name)
            }
        }
        return names
    }
}
