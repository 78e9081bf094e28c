import Benchmarking
import SoupBenchmarks
import Soups

/// What this program is made of.
enum ProgramVersion {
    /// `soup, commit 0123456789ab; plain 3.40.1 ...; cipher 3.46.1 4.6.1 ...`
    ///
    /// The commit is that of the folder in which the program was built, if it still is there.
    static var text: String {
        let folder = RunOptions.executable.split(separator: "/").dropLast().joined(separator: "/")
        let libraries = Libraries.find()
        let found = libraries.identity.isEmpty ? "no SQLite" : libraries.identity
        let missing = libraries.missing.map { "\n" + $0 }.joined()
        return
            "soup, commit \(Commit.current(from: "/" + folder)), \(Build.isOptimised ? "release" : "debug"); \(found)\(missing)"
    }
}
