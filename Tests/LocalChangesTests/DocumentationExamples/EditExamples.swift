import JSONText
import LocalChanges
import OfflineStore
import Testing

/// The examples in the documentation of local edits and of the outbox.
@Suite struct EditExamples {
    @Test func `the example of LocalEdits`() throws {
        let setup = try EditFolder()
        let store = setup.store
        try setup.addClean(["Id": "003A", "Name": "Bo"])
        // Example: Sources/LocalChanges/Edits/LocalEdits.swift
        let edits = LocalEdits(store, soup: "contacts", keepsOriginals: true)
        let created = try edits.create(["Name": "Ada"])
        let updated = try edits.update(1, changes: ["Name": "Grace"])
        let waiting = try edits.pending().totalEntries
        try edits.discard(1)
        // The row is clean again, with the name that it had.
        // End of example
        #expect(created["__locally_created__"] == true && updated["__locally_updated__"] == true && waiting == 2)
        #expect(try setup.row(1)?["Name"] == "Bo")
    }

    @Test func `the example of UUIDSource`() throws {
        let setup = try EditFolder()
        let store = setup.store
        // Example: Sources/LocalChanges/Flags/UUIDSource.swift
        let edits = LocalEdits(store, soup: "contacts", uuids: .counting())
        let row = try edits.create(["Name": "Ada"])
        // The key is local_00000000000000000000000000000001, so that a test can predict it.
        // End of example
        #expect(row["Id"] == "local_00000000000000000000000000000001")
    }

    @Test func `the example of Outbox`() throws {
        let setup = try EditFolder()
        let store = setup.store
        let id = try #require(setup.edits().create(["Name": "Ada"])["_soupEntryId"]?.int64)
        let sent = OutboxRow(
            soupName: "contacts", entryId: id, syncId: nil, objectType: "Contact", sent: ["Name": "Ada"], sentAt: 1)
        try Outbox(store).keep([sent, sent])
        // Example: Sources/LocalChanges/Outbox/Outbox.swift
        let outbox = Outbox(store)
        for doubt in try outbox.doubts(inSoup: "contacts") {
            // The user has looked: the service has no such record.
            try outbox.resolve(soup: "contacts", entryId: doubt.entryId, .wasNotCreated)
        }
        // End of example
        #expect(try outbox.doubts(inSoup: "contacts") == [])
        #expect(try setup.pending() == [id])
    }
}
