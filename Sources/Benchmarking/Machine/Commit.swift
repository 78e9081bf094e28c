#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds which commit the working folder has checked out, without running git.
package enum Commit {
    /// The first 12 digits of the commit's hash, or `unknown`. Changed files are not noticed; scripts that know about
    /// them say so.
    package static func current(from folder: String? = nil) -> String {
        var parts = (folder ?? FileManager.default.currentDirectoryPath).split(separator: "/")
        while true {
            let git = "/" + parts.joined(separator: "/") + "/.git"
            if let head = SystemFile.line(git + "/HEAD") {
                return resolve(head, in: git) ?? "unknown"
            }
            guard parts.popLast() != nil else {
                return "unknown"
            }
        }
    }

    private static func resolve(_ head: String, in git: String) -> String? {
        guard head.hasPrefix("ref: ") else {
            return String(head.prefix(12))
        }
        let name = head.dropFirst(5)
        if let hash = SystemFile.line(git + "/" + name) {
            return String(hash.prefix(12))
        }
        return SystemFile.lines(git + "/packed-refs").first { $0.hasSuffix(" " + name) }.map { String($0.prefix(12)) }
    }
}
