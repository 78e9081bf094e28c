import Soups

extension Fault {
    /// Runs the work of a call that throws only faults, although its type does not say so.
    static func only<R>(from work: () throws -> R) throws(Fault) -> R {
        do {
            return try work()
        } catch {
            throw error as? Fault ?? Fault(.closed, "the call ended with another error")
        }
    }
}
