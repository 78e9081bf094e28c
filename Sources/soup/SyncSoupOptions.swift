import ArgumentParser
import OfflineStore
import SQLiteAccess

/// The store and the soup of a command that syncs or edits.
struct SyncSoupOptions: ParsableArguments {
    @Option(help: "The file of the store; it is created if necessary.")
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

    func open() throws -> SmartStore {
        let backEnd = BackEnd(rawValue: backend) ?? .plain
        return try SmartStore(path: store, options: StoreOptions(library: try backEnd.library()))
    }
}
