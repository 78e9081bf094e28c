import OfflineCore
import TestSupport
import Testing

/// The README's example, with its one import: this file does not compile if the product does not export a type that the
/// example needs.
@Suite struct ReadmeSnippetTests {
    @Test func `the snippet runs with one import`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("contacts.db")

        let library = try SQLiteLibrary.find(.plain)
        let store = try SmartStore(path: path, options: StoreOptions(library: library))
        try store.registerSoup("contacts", indexSpecs: [.string("name"), .fullText("notes")])
        try store.upsert([["name": "Ada", "notes": "met at the harbour"]], into: "contacts")
        let cursor = try store.query(.match(path: "notes", matchKey: "harbour"), soup: "contacts")
        for entry in cursor.currentPage.entries {
            print(String(decoding: entry, as: UTF8.self))
        }

        #expect(
            try cursor.currentPage.entries.map { try JSONValue(parsing: String(decoding: $0, as: UTF8.self))["name"] }
                == ["Ada"])
        try store.close()
    }

    /// Compiled, not run: opening an encrypted store, as the snippet's comment says.
    private func openEncrypted(path: String, secret: [UInt8]) throws -> SmartStore {
        let library = try SQLiteLibrary.find(.cipher)
        return try SmartStore(path: path, options: StoreOptions(library: library, key: try Key(passphrase: secret)))
    }
}
