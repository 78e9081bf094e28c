import OfflineCore
import TestSupport

/// A folder for the files of one example, and the store that most examples use.
struct ExampleStore {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Opens a plain store with a soup of two contacts.
    func contacts() throws -> SmartStore {
        let options = StoreOptions(library: try SQLiteLibrary.find(.plain))
        let store = try SmartStore(path: folder.file("contacts.db"), options: options)
        try store.registerSoup("contacts", indexSpecs: [.string("name"), .integer("age")])
        try store.upsert([["name": "Ada", "age": 36], ["name": "Bo", "age": 7]], into: "contacts")
        return store
    }
}
