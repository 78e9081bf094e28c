import JSONText
import LocalChanges
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport

/// A new folder with a plain or encrypted store in it, which has a soup `contacts`.
struct EditFolder {
    let folder: TemporaryFolder
    let store: SmartStore

    init(_ backEnd: BackEnd = .plain) throws {
        let folder = try TemporaryFolder()
        var options = StoreOptions(
            library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        // The folder stays for as long as the store.
        options.clock = StoreClock { withExtendedLifetime(folder) { 1_600_000_000_000 } }
        options.settings.durability = .relaxed
        self.folder = folder
        store = try SmartStore(path: folder.file("store.db"), options: options)
        try store.registerSoup("contacts", indexSpecs: [.string("Id"), .string("__local__")])
    }

    func edits(keepsOriginals: Bool = true) -> LocalEdits {
        LocalEdits(store, soup: "contacts", keepsOriginals: keepsOriginals, uuids: .counting())
    }

    func row(_ id: Int64) throws -> JSONObject? {
        try store.retrieve(id: id, from: "contacts").flatMap { try JSONValue(parsing: $0).object }
    }

    /// Stores a row without local changes and returns its id.
    @discardableResult
    func addClean(_ record: JSONObject) throws -> Int64 {
        var row = record
        LocalFlags().write(to: &row)
        return try store.upsert([.object(row)], into: "contacts")[0]["_soupEntryId"]?.int64 ?? 0
    }

    /// The ids of all rows with local changes.
    func pending() throws -> [Int64] {
        let cursor = try edits().pending(pageSize: 7)
        var ids: [Int64] = []
        while true {
            ids += try cursor.currentPage.entries.map { try JSONValue(parsing: Array($0))["_soupEntryId"]?.int64 ?? 0 }
            guard cursor.hasNextPage else {
                return ids
            }
            try cursor.moveToNextPage()
        }
    }
}

/// The code of the fault that work throws; nil if it throws none.
func faultCode(_ work: () throws -> Void) -> Fault.Code? {
    do {
        try work()
        return nil
    } catch {
        return (error as? Fault)?.code
    }
}
