import JSONText
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport

/// A new folder with a store that has the soup `products`.
struct ProductStore {
    let folder: TemporaryFolder
    let store: SmartStore

    init(_ backEnd: BackEnd = .plain) throws {
        folder = try TemporaryFolder()
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        options.settings.durability = .relaxed
        store = try SmartStore(path: folder.file("store.db"), options: options)
        try store.registerSoup("products", indexSpecs: [.string("Name"), .json1("Price"), .integer("Rating")])
    }

    /// Adds products with names in the order of their numbers.
    func add(_ numbers: Range<Int>) throws {
        let rows = numbers.map { number -> JSONValue in
            ["Name": .string("P\(1_000 + number)"), "Price": .number(JSONNumber(Int64(number))), "Rating": 5]
        }
        try store.upsert(rows, into: "products")
    }

    /// The names of rows.
    static func names(_ rows: [[UInt8]]) -> [String] {
        rows.compactMap { (try? JSONValue(parsing: $0))?["Name"]?.string }
    }
}
