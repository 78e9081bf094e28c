import SQLiteAccess
import Soups

extension StoreConnections {
    /// Runs work of a caller as one transaction on the writing connection.
    ///
    /// An error of the caller's own work is thrown unchanged, unless the transaction was lost with another fault
    /// before.
    func transaction<R>(_ work: () throws -> R) throws -> R {
        var thrown: (any Error)?
        let ownError = Fault(.closed, "the work of a transaction threw")
        do {
            return try write { (session, _) throws(Fault) in
                try session.requireWritable()
                return try session.transaction { () throws(Fault) in
                    do {
                        return try work()
                    } catch {
                        thrown = error
                        throw error as? Fault ?? ownError
                    }
                }
            }
        } catch {
            guard let thrown, error == thrown as? Fault ?? ownError else {
                throw error
            }
            throw thrown
        }
    }
}
