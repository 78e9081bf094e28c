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
}
