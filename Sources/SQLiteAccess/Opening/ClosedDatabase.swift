import Platform
package import Soups

/// Lets the files of a database be copied or replaced whole, which is safe only while no connection has them open.
package enum ClosedDatabase {
    /// Runs work on the files of a database that no connection of any process has open. Threads of this process that
    /// want to open it wait for the end of the work.
    ///
    /// - Throws: `busy` if a connection has it open, `storeNotFound`; what the work throws.
    package static func use<R>(_ path: String, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        try OpenFiles.shared.whileClosed(path, work)
    }

    /// Does the same, and keeps other processes from opening the database until the work is done, where the file may be
    /// written: they wait for a lock, as for a writer. Afterwards they find the file that has the name then.
    ///
    /// - Throws: as `use`.
    package static func claim<R>(_ path: String, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        try OpenFiles.shared.whileClosed(path) { () throws(Fault) in
            // Closing the file gives the lock back.
            let file = try? OpenFile(path, .appending)
            defer { file?.close() }
            guard file.map({ FileLocks.claim($0) }) ?? true else {
                throw Fault(.busy, "another process has \(path) open: close it there first")
            }
            return try work()
        }
    }
}
