package import JSONText
import Platform

/// The file system that contains a folder, on which the cost of a commit depends more than on anything else.
package struct DataDisk: Sendable {
    /// `ext4`, `tmpfs`, `overlay`, as the kernel names it.
    package let type: String
    package let options: String
    package let freeBytes: Int64

    /// A file system in memory: nothing is ever synced, so writes cost nothing that a user would see.
    package var isInMemory: Bool { type == "tmpfs" || type == "ramfs" || type == "devtmpfs" }

    /// Looks the folder up, or the nearest one above it that exists.
    package static func below(_ path: String) -> DataDisk {
        var existing = path
        var resolved = try? Path.real(existing)
        while resolved == nil {
            var parts = existing.split(separator: "/", omittingEmptySubsequences: true)
            guard parts.popLast() != nil else { break }
            existing = (existing.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
            if existing.isEmpty {
                existing = "."
            }
            resolved = try? Path.real(existing)
        }
        let folder = resolved ?? ""
        // The mount with the longest path that contains the folder; a later line hides an earlier one of the same
        // path.
        var best: (length: Int, type: String, options: String) = (-1, "unknown", "")
        for line in SystemFile.lines("/proc/self/mounts") {
            let fields = line.split(separator: " ")
            guard fields.count >= 4 else { continue }
            let mountPoint = String(fields[1])
            guard mountPoint == "/" || folder == mountPoint || folder.hasPrefix(mountPoint + "/"),
                mountPoint.utf8.count >= best.length
            else {
                continue
            }
            best = (mountPoint.utf8.count, String(fields[2]), String(fields[3]))
        }
        return DataDisk(type: best.type, options: best.options, freeBytes: HostSystem.freeBytes(at: folder))
    }

    package var json: JSONValue {
        ["type": .string(type), "options": .string(options), "free_bytes": .number(JSONNumber(freeBytes))]
    }
}
