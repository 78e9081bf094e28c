import Foundation
import OfflineCore
import TestSupport
import Testing

/// The examples about soups, entries and values, in the documentation of the types.
@Suite struct WritingExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    @Test func `the example of IndexSpec`() throws {
        let store = try examples.contacts()
        // Example: Sources/Soups/IndexSpec.swift
        let specs: [IndexSpec] = [.string("customer.name"), .integer("number"), .floating("total"), .fullText("note")]
        try store.registerSoup("orders", indexSpecs: specs)
        // End of example
        #expect(try store.indexSpecs(ofSoup: "orders").map(\.columnName?.isEmpty) == [false, false, false, false])
        try store.close()
    }

    @Test func `the example of SoupSpec`() throws {
        let store = try examples.contacts()
        // Example: Sources/Soups/SoupSpec.swift
        let spec = SoupSpec(name: "scans", features: [.externalStorage])
        try store.registerSoup(spec, indexSpecs: [.string("title")])
        // End of example
        #expect(try store.soup("scans").storesExternally)
        try store.close()
    }

    @Test func `the example of upsert`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Store/SmartStore+Entries.swift
        let text = #"{"name": "Grace", "city": "New York"}"#
        let stored = try store.upsert([Array(text.utf8)], into: "contacts", externalIdPath: "name")
        // End of example
        #expect(stored.count == 1 && String(decoding: stored[0], as: UTF8.self).contains("_soupEntryId"))
        try store.close()
    }

    @Test func `the example of upsert with ids`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Store/SmartStore+Entries.swift
        let ids = try store.upsertIds([Array(#"{"name": "Grace"}"#.utf8)], into: "contacts")
        // End of example
        #expect(try store.retrieve(ids: ids, from: "contacts").count == 1)
        try store.close()
    }

    @Test func `the example of alterSoup`() throws {
        let store = try examples.contacts()
        var steps: [AlterationStep] = []
        // Example: Sources/OfflineStore/Alteration/SmartStore+Alteration.swift
        try store.alterSoup("contacts", indexSpecs: [.string("name"), .integer("age")]) { progress in
            steps.append(progress.step)
        }
        // End of example
        #expect(steps.last == .dropOldTable)
        try store.close()
    }

    @Test func `the example of Load`() throws {
        let store = try examples.contacts()
        let file = examples.folder.file("contacts.jsonl")
        try "{\"name\": \"Grace\"}\n{\"name\": \"Edsger\"}\n".write(toFile: file, atomically: true, encoding: .utf8)
        var stored = 0
        // Example: Sources/OfflineStore/Entries/SmartStore+Load.swift
        let done = try store.load(jsonLines: file, into: "contacts", externalIdPath: "name") { progress in
            stored = progress.entries
        }
        // End of example
        #expect(done.entries == 2 && stored == 2)
        try store.close()
    }

    @Test func `the example of ByteSource`() throws {
        let store = try examples.contacts()
        // Example: Sources/JSONText/Lines/ByteSource.swift
        let lines = #"{"name": "Grace"}"# + "\n" + #"{"name": "Edsger"}"#
        let done = try store.load(jsonLines: ByteSource(Array(lines.utf8)), into: "contacts")
        // End of example
        #expect(done.entries == 2)
        try store.close()
    }

    @Test func `the example of the values of a page`() throws {
        struct Contact: Codable {
            var name: String
        }
        let store = try examples.contacts()
        try store.upsert(value: Contact(name: "Grace"), into: "contacts")
        // Example: Sources/OfflineStore/Queries/StorePage+Values.swift
        let page = try store.query(.all(), soup: "contacts").currentPage
        let contacts = try page.values(Contact.self)
        // End of example
        #expect(contacts.last?.value.name == "Grace")
        try store.close()
    }

    @Test func `the example of Fault`() throws {
        let store = try examples.contacts()
        // Example: Sources/Soups/Fault.swift
        do {
            try store.upsert([["name": "Ada"]], into: "people")
        } catch {
            // The calls have typed throws: the error is a Fault.
            guard error.code == .soupNotFound else { throw error }
            try store.registerSoup("people", indexSpecs: [.string("name")])
        }
        // End of example
        #expect(try store.soupExists("people"))
        try store.close()
    }

    @Test func `the example of JSONValue`() throws {
        // Example: Sources/JSONText/Values/JSONValue.swift
        let contact: JSONValue = ["name": "Ada", "age": 36, "tags": ["author", "admin"]]
        let age = contact["age"]?.int64
        let tags = contact["tags"]?.array?.compactMap(\.string)
        // End of example
        #expect(age == 36 && tags == ["author", "admin"])
    }
}
