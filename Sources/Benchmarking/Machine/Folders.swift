import Libc
package import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes, copies and removes folders; what fails is a `Fault` that names the path.
package enum Folders {
    package static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    package static func make(_ path: String) throws(Fault) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Fault(.inputOutput, "the folder \(path) cannot be created: \(FileReason.text(error))")
        }
    }

    /// Removes a folder with everything in it. Does nothing if there is no such folder.
    package static func remove(_ path: String) throws(Fault) {
        guard exists(path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be removed: \(FileReason.text(error))")
        }
    }

    package static func rename(_ path: String, to other: String) throws(Fault) {
        do {
            try FileManager.default.moveItem(atPath: path, toPath: other)
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be renamed to \(other): \(FileReason.text(error))")
        }
    }

    package static func copy(_ path: String, to other: String) throws(Fault) {
        do {
            try FileManager.default.copyItem(atPath: path, toPath: other)
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be copied to \(other): \(FileReason.text(error))")
        }
    }

    /// The names in a folder, sorted; empty if it cannot be read.
    package static func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }

    /// The regular files below a folder, with their sizes in bytes, in the order of their paths.
    package static func files(below folder: String) -> [(path: String, bytes: Int)] {
        var found: [(path: String, bytes: Int)] = []
        var pending = [folder]
        while let next = pending.popLast() {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? [] {
                let path = next + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: pending.append(path)
                case S_IFREG: found.append((path, Int(status.st_size)))
                default: break
                }
            }
        }
        return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
