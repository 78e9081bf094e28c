import Foundation
import GRDB

/// A generated document as a Swift type; the benchmark's own side declares the same.
struct Document: Codable {
    var key: String
    var name: String
    var category: String
    var amount: Int
    var rate: Double
    var active: Bool
    var marker: String
    var address: Address
    var tags: [String]
    var body: String

    struct Address: Codable {
        var city: String
        var zip: String
    }
}

/// A row as a Codable record: GRDB encodes and decodes the nested document as JSON text.
struct Item: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "items"

    var id: Int64?
    var key: String
    var category: String
    var name: String
    var document: Document

    init(_ document: Document) {
        id = nil
        (key, category, name) = (document.key, document.category, document.name)
        self.document = document
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
