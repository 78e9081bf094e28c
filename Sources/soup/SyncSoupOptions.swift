import ArgumentParser
import OfflineStore
import SQLiteAccess

/// The store and the soup of a command that syncs or edits.
struct SyncSoupOptions: ParsableArguments {
    @Option(help: "The file of the store; down and edit create it if necessary.")
    var store: String

    @Option(help: "The soup of the records.")
    var soup: String

    @Option(help: "The back end: plain or cipher-off.")
    var backend = "plain"

    func validate() throws {
        guard let backEnd = BackEnd(rawValue: backend), !backEnd.isKeyed else {
            throw ValidationError("unknown back end \(backend); use plain or cipher-off")
        }
    }

    /// Opens the store; it is created if necessary, unless a new one would be of no use.
    func open(creating: Bool = true) throws -> SmartStore {
        let backEnd = BackEnd(rawValue: backend) ?? .plain
        var options = StoreOptions(library: try backEnd.library())
        options.access = creating ? .create : .readWrite
        return try SmartStore(path: store, options: options)
    }
}
