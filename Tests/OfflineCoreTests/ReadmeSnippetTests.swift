import OfflineCore
import TestSupport
import Testing

/// The README's program, with its one import: this file does not compile if the product does not export a type that the
/// program needs. `ci/install-lines --build` builds and runs it as an app does.
@Suite struct ReadmeSnippetTests {
    private static let hasCipher = (try? SQLiteLibrary.find(.cipher)) != nil

    /// As the README shows it.
    private static let printed = [#"["Ada"]"#, #"["Ada", "Grace"]"#]

    @Test(.enabled(if: Self.hasCipher, "SQLCipher is missing: run ci/setup"))
    func `the program runs with one import, and prints what the readme says`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("contacts.db")
        var lines: [String] = []
        func print(_ names: [String]) { lines.append("\(names)") }

        struct Contact: Codable, Sendable {
            var name: String
            var notes: String
        }
        let key = try Key(raw: [UInt8](repeating: 7, count: 32))
        let options = StoreOptions(library: try SQLiteLibrary.find(.cipher), key: key)
        let store = try await SmartStore.open(path: path, options: options)
        try await store.registerSoup("contacts", indexSpecs: [.string("name"), .fullText("notes")])
        try await store.upsert(value: Contact(name: "Ada", notes: "met at the harbour"), into: "contacts")

        let harbour = QuerySpec.match(path: "notes", matchKey: "harbour", orderPath: "name")
        for try await found in store.liveQuery(Contact.self, harbour, in: "contacts") {
            print(found.map(\.value.name))
            if found.count >= 2 { break }
            try await store.upsert(value: Contact(name: "Grace", notes: "has a boat in the harbour"), into: "contacts")
        }
        try await store.close()

        #expect(lines == Self.printed)
    }
}
