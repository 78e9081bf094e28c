import Dispatch
import Platform
import Soups
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The temporary folder in which a back end keeps its stores. It is marked as in use for as long as this object lives,
/// and removed with it.
final class WorkFolder: Sendable {
    private static let prefix = "soup-conform-"

    let path: String
    private let mark: FolderMark

    /// - Throws: `inputOutput`.
    init() throws(Fault) {
        let path = Self.base() + "/" + Self.prefix + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Fault(.inputOutput, "cannot create the folder \(path); is TMPDIR writable?")
        }
        do throws(SystemError) { mark = try FolderMark(marking: path) } catch {
            FolderMark.removeFolder(path)
            throw Fault(.inputOutput, "the folder \(path) cannot be marked as in use: \(error.reason)")
        }
        self.path = path
        Self.shared.withLock { _ = $0.folders.insert(path) }
    }

    deinit { remove() }

    func remove() {
        FolderMark.removeFolder(path)
        let path = path
        Self.shared.withLock { _ = $0.folders.remove(path) }
    }

    /// The parent folder: `TMPDIR` if it is set, otherwise a file system in memory if it has enough space, otherwise
    /// the usual one. On a disk, most of the time of a case would be spent on synchronizing small files, which no
    /// vector can observe.
    private static func base() -> String {
        if !isNamed,
            let free = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? Int64,
            free > 256 << 20, FileManager.default.isWritableFile(atPath: memory)
        {
            return memory
        }
        return FileManager.default.temporaryDirectory.path
    }

    private static let memory = "/dev/shm"
    private static var isNamed: Bool { ProcessInfo.processInfo.environment["TMPDIR"] != nil }

    // MARK: - Work in progress and the end of the process

    private struct Shared {
        /// The folders of this process that are not removed yet.
        var folders: Set<String> = []
        var isEnding = false
    }

    private static let shared = Mutex(Shared())
    private static let inProgress = DispatchGroup()

    /// Does work that uses a folder. Once `removeAll` was called, no work begins, and a result that the removal may
    /// have spoilt is not returned: the thread waits for the end of the process.
    static func using<R, E>(_ work: () throws(E) -> R) throws(E) -> R {
        let begins = shared.withLock { shared in
            if !shared.isEnding {
                inProgress.enter()
            }
            return !shared.isEnding
        }
        guard begins else { waitForEnd() }
        defer {
            inProgress.leave()
            if shared.withLock({ $0.isEnding }) {
                waitForEnd()
            }
        }
        return try work()
    }

    private static func waitForEnd() -> Never {
        while true {
            CurrentThread.sleep(.seconds(60))
        }
    }

    /// Removes the folders of this process, which is about to end. Waits up to 3 seconds for work in progress.
    static func removeAll() {
        shared.withLock { $0.isEnding = true }
        _ = inProgress.wait(timeout: .now() + .seconds(3))
        for path in shared.withLock({ $0.folders }) {
            // Work that still goes on finds no path to create a file in.
            let ended = path + "-ended"
            FolderMark.removeFolder((try? File.rename(path, to: ended)) != nil ? ended : path)
        }
    }

    /// Removes the folders of processes that have ended, and returns their paths. Looks into each parent folder that
    /// such a process may have chosen.
    static func removeLeftOver() -> [String] {
        let usual = FileManager.default.temporaryDirectory.path
        return (isNamed ? [usual] : [memory, usual]).flatMap { parent in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
            return names.filter { $0.hasPrefix(prefix) }.sorted().map { parent + "/" + $0 }.filter(removeIfLeftOver)
        }
    }

    private static func removeIfLeftOver(_ path: String) -> Bool {
        guard let mark = FolderMark(leftOver: path) else { return false }
        defer { withExtendedLifetime(mark) {} }
        return FolderMark.removeFolder(path)
    }
}
