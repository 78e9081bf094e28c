import FoundationEssentials
import Soups

/// Makes, copies and removes folders; what fails is a `Fault` that names the path.
enum Folders {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func make(_ path: String) throws(Fault) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Fault(.inputOutput, "the folder \(path) cannot be made: \(error)")
        }
    }

    /// Removes a folder with everything in it; fine if there is none.
    static func remove(_ path: String) throws(Fault) {
        guard exists(path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be removed: \(error)")
        }
    }

    static func rename(_ path: String, to other: String) throws(Fault) {
        do {
            try FileManager.default.moveItem(atPath: path, toPath: other)
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be renamed to \(other): \(error)")
        }
    }

    static func copy(_ path: String, to other: String) throws(Fault) {
        do {
            try FileManager.default.copyItem(atPath: path, toPath: other)
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be copied to \(other): \(error)")
        }
    }

    /// The regular files below a folder, with their sizes in bytes, in the order of their paths.
    static func files(below folder: String) -> [(path: String, bytes: Int)] {
        var found: [(path: String, bytes: Int)] = []
        var pending = [folder]
        while let next = pending.popLast() {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? [] {
                let path = next + "/" + name
                guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
                switch attributes[.type] as? FileAttributeType {
                case .typeDirectory?: pending.append(path)
                case .typeRegular?: found.append((path, FileSize.bytes(attributes[.size])))
                default: break
                }
            }
        }
        return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}

/// Reads the size out of file attributes, whose number type differs between platforms.
private enum FileSize {
    static func bytes(_ value: Any?) -> Int {
        switch value {
        case let size as Int: size
        case let size as UInt64: Int(clamping: size)
        case let size as Int64: Int(clamping: size)
        default: 0
        }
    }
}
