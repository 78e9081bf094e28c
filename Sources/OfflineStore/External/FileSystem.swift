import FoundationEssentials
import Soups

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Provides the file operations that a store needs for files other than its database: atomic writes that are on the
/// disk before they count, folders, sizes.
///
/// Must not be used on a database file that a connection may have open: closing any descriptor of it would drop its
/// locks.
enum FileSystem {
    /// Writes a file under a temporary name, synchronizes it to the disk, then renames it. An existing file is replaced
    /// as a whole.
    static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
        let temporary = path + ".tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw failure("cannot create a file")
        }
        let written = writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        let fault = written ? nil : failure("cannot write a file")
        close(descriptor)
        if let fault {
            unlink(temporary)
            throw fault
        }
        try rename(temporary, to: path)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = UnsafeRawBufferPointer(buffer)
            while let start = rest.baseAddress, rest.count > 0 {
                let count = systemWrite(descriptor, start, rest.count)
                if count < 0 && errno == EINTR {
                    continue
                }
                guard count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            return true
        }
    }

    /// Renames a file to its final name, replacing an existing file.
    static func rename(_ path: String, to target: String) throws(Fault) {
        guard systemRename(path, target) == 0 else {
            throw failure("cannot rename a file")
        }
    }

    /// Synchronizes the names in a folder to the disk.
    static func synchronize(folder: String) throws(Fault) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure("cannot open a folder")
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw failure("cannot write a folder")
        }
    }

    /// Returns the whole content; nil if there is no such file.
    static func read(_ path: String) throws(Fault) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT {
                return nil
            }
            throw failure("cannot open a file")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw failure("cannot read a file")
        }
        let size = Int(status.st_size)
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = systemRead(descriptor, UnsafeMutableRawPointer(buffer.baseAddress! + count), size - count)
                if got < 0 && errno == EINTR {
                    continue
                }
                if got <= 0 {
                    failed = got < 0
                    break
                }
                count += got
            }
        }
        guard !failed else {
            throw failure("cannot read a file")
        }
        return bytes
    }

    /// The folder that contains a file.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return "."
        }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func makeFolder(_ path: String) throws(Fault) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Fault(.inputOutput, "cannot create a folder")
        }
    }

    /// Removes a file, or a folder with everything in it; does nothing if it does not exist.
    static func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Removes a file and returns whether there was one. A folder is not removed.
    @discardableResult
    static func removeFile(_ path: String) -> Bool { unlink(path) == 0 }

    /// Removes a folder if it is empty.
    static func removeEmptyFolder(_ path: String) { rmdir(path) }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The names in a folder; empty if the folder does not exist.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Bytes of a file; 0 if it does not exist. Only its status is read: the file is not opened.
    static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Bytes and number of all files below a folder; 0 if it does not exist.
    static func treeSize(_ folder: String) -> (bytes: Int64, files: Int) {
        var total: (bytes: Int64, files: Int) = (0, 0)
        var folders = [folder]
        while let current = folders.popLast() {
            for name in names(in: current) {
                let path = current + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    folders.append(path)
                    continue
                }
                total.bytes += Int64(status.st_size)
                total.files += 1
            }
        }
        return total
    }

    /// A fault with the system's error. Paths are left out, because they may hold a user's name.
    private static func failure(_ what: String) -> Fault {
        let number = errno
        let code: Fault.Code =
            number == ENOSPC || number == EDQUOT
            ? .diskFull : number == EROFS || number == EACCES ? .readOnly : .inputOutput
        return Fault(code, "\(what): \(String(cString: strerror(number)))")
    }
}

#if canImport(Glibc)
private let systemWrite = Glibc.write
private let systemRead = Glibc.read
private let systemRename = Glibc.rename
#else
private let systemWrite = Darwin.write
private let systemRead = Darwin.read
private let systemRename = Darwin.rename
#endif
