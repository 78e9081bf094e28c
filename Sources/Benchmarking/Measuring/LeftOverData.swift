import Platform
import Soups

/// The data folder of a run that was killed, and how it is recognized: each is marked by its run, and the mark of a
/// living run is locked.
package struct LeftOverData: Sendable {
    package let path: String
    package let bytes: Int

    /// What to say about a removed folder.
    package var text: String { "removed \(path) (\(Figures.bytes(Double(bytes)))), left by a run that was killed" }

    /// Removes the data folders of killed runs that are next to a new data folder, and returns those removed.
    ///
    /// Takes folders called `data-` or `doctor-` and a number that are marked by a run which has ended, together with
    /// its workers. Anything else stays.
    package static func remove(nextTo dataFolder: String) -> [LeftOverData] {
        let folder = parent(of: dataFolder)
        var removed: [LeftOverData] = []
        for name in Folders.names(in: folder) where isDataFolder(name) {
            let path = folder + "/" + name
            guard let mark = FolderMark(leftOver: path) else { continue }
            let bytes = Folders.files(below: path).reduce(0) { $0 + $1.bytes }
            if FolderMark.removeFolder(path) {
                removed.append(LeftOverData(path: path, bytes: bytes))
            }
            withExtendedLifetime(mark) {}
        }
        return removed
    }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let parent = parts.joined(separator: "/")
        if parent.isEmpty {
            return path.hasPrefix("/") ? "/" : "."
        }
        return parent
    }

    private static func isDataFolder(_ name: String) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ["data", "doctor"].contains(parts[0]) else { return false }
        return !parts[1].isEmpty && parts[1].utf8.allSatisfy { (48...57).contains($0) }
    }

    /// Creates a data folder and marks it as in use for as long as the mark or a worker process lives.
    ///
    /// - Throws: `inputOutput`; `busy` if another process is measuring in it.
    static func make(_ path: String) throws(Fault) -> FolderMark {
        try Folders.make(path)
        do throws(SystemError) { return try FolderMark(marking: path, isInherited: true) } catch {
            throw error.wouldBlock
                ? Fault(.busy, "another process uses the folder \(path); wait for its end, or name another folder")
                : Fault(.inputOutput, "the folder \(path) cannot be marked as in use: \(error.reason)")
        }
    }
}
