import ArgumentParser
import OfflineStore
import SQLiteAccess

/// The store and the soup of a command that syncs or edits.
struct SyncSoupOptions: ParsableArguments {
    @Option(help: "The file of the store; down and edit create it if necessary.")
    var store: String

    @Option(help: "The soup of the records.")
    var soup: String

    @OptionGroup
    var backEnd: BackEndOption

    /// Opens the store; it is created if necessary, unless a new one would be of no use.
    func open(creating: Bool = true) throws -> SmartStore {
        try SmartStore(path: store, options: try backEnd.options(creating ? .create : .readWrite))
    }
}
