import JSONText
import LocalChanges
import OfflineStore
import Testing

/// The outbox as a sync will use it. Decisions are shown by `Corpora/sync/doubts.json`.
@Suite struct OutboxTests {
    private static func sent(_ entryId: Int64, _ name: JSONValue, soup: String = "contacts") -> OutboxRow {
        OutboxRow(soupName: soup, entryId: entryId, syncId: 3, objectType: "Contact", sent: ["Name": name], sentAt: 5)
    }

    @Test func `what is kept twice of one row is kept once, the later time`() throws {
        let setup = try EditFolder()
        let outbox = Outbox(setup.store)
        try outbox.keep([Self.sent(1, "a"), Self.sent(1, "b"), Self.sent(1, "c", soup: "other")])
        #expect(try outbox.row(soup: "contacts", entryId: 1) == Self.sent(1, "b"))
        #expect(try outbox.row(soup: "other", entryId: 1) == Self.sent(1, "c", soup: "other"))
        #expect(try outbox.row(soup: "contacts", entryId: 2) == nil)
        #expect(try outbox.remove(soup: "contacts", entryId: 1))
        #expect(try !outbox.remove(soup: "contacts", entryId: 1))
        #expect(try outbox.doubts(inSoup: "other").count == 1)
    }

    @Test func `what belongs to rows and soups that are gone is removed`() throws {
        let setup = try EditFolder()
        let outbox = Outbox(setup.store)
        #expect(try outbox.removeOrphans() == 0)
        let kept = try #require(setup.edits().create([:])["_soupEntryId"]?.int64)
        try outbox.keep((1...450).map { Self.sent($0, "x") } + [Self.sent(kept, "x", soup: "gone")])
        #expect(try outbox.removeOrphans() == 450)
        #expect(try outbox.doubts(inSoup: "contacts").map(\.entryId) == [kept])
        #expect(try outbox.removeOrphans() == 0)
    }

    @Test func `a field that is sent now and was not sent before makes the row edited`() throws {
        let setup = try EditFolder()
        let outbox = Outbox(setup.store)
        let ids = try (1...2).map { _ in
            try #require(setup.edits().create(["Name": "a", "Title": "Dr"])["_soupEntryId"]?.int64)
        }
        try outbox.keep(ids.map { Self.sent($0, "a") })
        let clean = try outbox.resolve(soup: "contacts", entryId: ids[0], .wasCreated(id: "003A"), fields: ["Name"])
        #expect(clean?["__local__"] == false)
        // Without a list all fields of the row would be sent.
        let edited = try outbox.resolve(soup: "contacts", entryId: ids[1], .wasCreated(id: "003B"))
        #expect(edited?["__locally_updated__"] == true && edited?["__locally_created__"] == false)
    }

    @Test func `the original of a row that was edited since is what was sent of the fields`() throws {
        let setup = try EditFolder()
        let originals = Originals(setup.store, soup: "contacts")
        try originals.keep(setup.edits().create(["x": 1]), keyField: "Id")
        let id = try #require(
            setup.edits().create(["Name": "b", "Owner": ["Name": "q", "Age": 1], "Title": "Dr", "Mine": 1, "a.b": 2])
                .entryId)
        try setup.store.upsert([["Id": "003A", "__local__": true]], into: "contacts")
        let sent: JSONObject = ["Name": "a", "Owner.Name": "p", "a.b": 1]
        try Outbox(setup.store).keep([
            OutboxRow(soupName: "contacts", entryId: id, syncId: nil, objectType: "Contact", sent: sent, sentAt: 5)
        ])
        let row = try Outbox(setup.store).resolve(
            soup: "contacts", entryId: id, .wasCreated(id: "003A"),
            fields: ["Name", "Title", "Owner.Name", "Owner.Phone", "a.b"])
        #expect(row?["__locally_updated__"] == true && row?["Title"] == "Dr" && row?["__last_error__"] != nil)
        let original = try #require(try originals.original(of: id))
        #expect(original["Name"] == "a" && original["Owner"] == ["Name": "p", "Age": 1] && original["a.b"] == 1)
        #expect(original["Title"] == nil && original["Mine"] == 1 && original["Id"] == "003A")
        #expect(original["__last_error__"] == nil && original["Owner.Name"] == nil)
    }
}
