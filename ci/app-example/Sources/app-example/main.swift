// What an app writes first: an encrypted store next to GRDB, and a list that follows its changes.
import Foundation
import GRDB
import OfflineCore

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("app-example-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

// GRDB links SQLite; it is in use before the store is opened, and after.
let notes = try DatabaseQueue(path: folder.appendingPathComponent("notes.sqlite").path)
try await notes.write { try $0.execute(sql: "CREATE TABLE note(text TEXT)") }

struct Contact: Codable, Sendable {
    var name: String
    var age: Int
}

for (name, flavour) in [("plain", SQLiteLibrary.Flavour.plain), ("encrypted", .cipher)] {
    let library = try SQLiteLibrary.find(flavour)
    let key = flavour == .cipher ? try Key(passphrase: "only an example") : nil
    let store = try await SmartStore.open(
        path: folder.appendingPathComponent("\(name).db").path, options: StoreOptions(library: library, key: key))
    try await store.registerSoup("contacts", indexSpecs: [.string("name"), .integer("age")])

    let adults = store.liveQuery(.range(path: "age", from: 18), in: "contacts")
    let watching = Task {
        var values = 0
        for try await entries in adults {
            values += 1
            print("\(name): \(entries.count) adults")
            if values == 2 {
                return
            }
            _ = try await store.upsert(values: [Contact(name: "Ada", age: 36)], into: "contacts")
        }
    }
    try await watching.value

    try await notes.write { try $0.execute(sql: "INSERT INTO note VALUES (?)", arguments: [name]) }
    let bytes = try Data(contentsOf: folder.appendingPathComponent("\(name).db"))
    let isPlainText = bytes.starts(with: Data("SQLite".utf8))
    print("\(name): the file \(isPlainText ? "can be read without a key" : "is encrypted")")
    try await store.close()
}

let count = try await notes.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") ?? 0 }
print("GRDB: \(count) notes")
