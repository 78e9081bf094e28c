import ArgumentParser
import OfflineStore
import SQLiteAccess
import Soups

/// The back end of a store that a command opens without a key.
struct BackEndOption: ParsableArguments {
    @Option(help: "The back end: plain or cipher-off.")
    var backend = "plain"

    func validate() throws {
        guard let backEnd = BackEnd(rawValue: backend), !backEnd.isKeyed else {
            throw ValidationError("unknown back end \(backend); use plain or cipher-off")
        }
    }

    /// The options to open a store with.
    ///
    /// - Throws: `libraryUnavailable`.
    func options(_ access: ConnectionAccess) throws(Fault) -> StoreOptions {
        let backEnd = BackEnd(rawValue: backend) ?? .plain
        var options = StoreOptions(library: try backEnd.library())
        options.access = access
        return options
    }
}
