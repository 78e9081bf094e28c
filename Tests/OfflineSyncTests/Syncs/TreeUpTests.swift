import JSONText
import MockService
import OfflineStore
import Soups
import TestSupport
import Testing

@testable import OfflineSync

/// Trees that changed on both sides: what LEAVE_IF_CHANGED lets through, and what OVERWRITE makes of the rest.
@Suite struct TreeUpTests {
    /// A store and a service with two accounts of two contacts each.
    struct World {
        let setup: SyncSetup
        let mock: MockService
        let manager: SyncManager
        let isLookup: Bool
        var accounts: [String] = []
        var contacts: [String] = []

        init(_ treeCase: TreeCase) async throws {
            try await self.init(isLookup: treeCase.isLookup, hasChildren: treeCase.hasChildren)
        }

        init(isLookup: Bool, hasChildren: Bool = true) async throws {
            var options = MockOptions()
            options.keepsReferring = isLookup
            mock = MockService(options: options)
            self.isLookup = isLookup
            setup = try SyncSetup()
            try setup.register("accounts")
            try setup.register("contacts", [.string("AccountId")])
            manager = try setup.manager(mock.transport)
            for name in ["One", "Two"] {
                let account = try mock.create("Account", ["Name": .string(name)])
                accounts.append(account)
                for child in hasChildren ? ["a", "b"] : [] {
                    contacts.append(
                        try mock.create(
                            "Contact", ["LastName": .string(name + child), "AccountId": .string(account)]))
                }
            }
            try await manager.sync(
                .down, target: Self.down(isLookup), soup: "accounts", options: SyncOptions(mergeMode: .overwrite)
            ).requireDone()
            mock.clock.now += 60_000
        }

        private static func parts(_ isLookup: Bool) -> [(String, JSONValue)] {
            [
                ("parent", ["sobjectType": "Account", "soupName": "accounts"]),
                (
                    "children",
                    [
                        "sobjectType": "Contact", "soupName": "contacts", "sobjectTypePlural": "Contacts",
                        "parentIdFieldName": "AccountId",
                    ]
                ),
                ("relationshipType", .string(isLookup ? "LOOKUP" : "MASTER_DETAIL")),
            ]
        }

        private static func down(_ isLookup: Bool) -> JSONObject {
            JSONObject(
                [
                    ("type", "parent_children"), ("parentFieldlist", ["Name"]),
                    ("childrenFieldlist", ["LastName", "AccountId"]),
                ] + parts(isLookup))
        }

        static func up(_ isLookup: Bool) -> JSONObject {
            JSONObject(
                [
                    ("swiftImpl", "parent_children"), ("createFieldlist", ["Name"]), ("updateFieldlist", ["Name"]),
                    ("childrenCreateFieldlist", ["LastName"]), ("childrenUpdateFieldlist", ["LastName"]),
                ] + parts(isLookup))
        }

        func push(_ mode: SyncMergeMode) async throws -> SyncState {
            try await manager.sync(
                .up, target: Self.up(isLookup), soup: "accounts", options: SyncOptions(mergeMode: mode)
            ).requireDone()
        }

        /// Changes a row as an app does.
        func change(_ change: TreeChange, _ soup: String, _ id: String, _ field: String) throws {
            let edits = LocalEdits(setup.store, soup: soup)
            guard change != .none,
                let entryId = try setup.store.lookupEntryId(inSoup: soup, path: "Id", value: .text(id))
            else { return }
            if change == .update {
                _ = try edits.update(entryId, changes: [field: "Local"])
            } else {
                try edits.delete(entryId)
            }
        }

        /// Changes a record as another user does.
        func changeRemotely(_ change: TreeChange, _ type: String, _ id: String, _ field: String) throws {
            switch change {
            case .none: break
            case .update: try mock.update(type, id, [field: "Remote"])
            case .delete: try mock.delete(type, id)
            }
        }

        /// The rows of both soups, as they are stored.
        func rows() throws -> [[String]] {
            try setup.rows("SELECT {accounts:_soup} FROM {accounts} ORDER BY {accounts:_soupEntryId}")
                + setup.rows("SELECT {contacts:_soup} FROM {contacts} ORDER BY {contacts:_soupEntryId}")
        }

        func objects(_ soup: String) throws -> [JSONObject] {
            try setup.rows("SELECT {\(soup):_soup} FROM {\(soup)} ORDER BY {\(soup):_soupEntryId}").map {
                try JSONValue(parsing: Array($0[0].utf8)).object ?? JSONObject()
            }
        }

        /// Checks that every row is clean and that the service has the same records.
        func expectInStep() throws {
            let parts: [(String, String, [String])] = [
                ("accounts", "Account", ["Id", "Name"]), ("contacts", "Contact", ["Id", "LastName", "AccountId"]),
            ]
            for (soup, type, fields) in parts {
                let rows = try objects(soup)
                #expect(rows.allSatisfy { !LocalFlags(of: $0).isDirty }, "\(soup) has changed rows")
                #expect(rows.allSatisfy { $0[ReservedField.lastError] == nil }, "\(soup) has errors")
                func texts(_ records: [JSONObject]) -> [String] {
                    records.map { record in fields.map { record[$0]?.string ?? "null" }.joined(separator: " ") }
                        .sorted()
                }
                #expect(texts(rows) == texts(mock.records(of: type)), "\(soup)")
            }
        }
    }

    @Test(arguments: TreeCase.all)
    func `a tree goes through, or is left as a whole until it is overwritten`(_ treeCase: TreeCase) async throws {
        let world = try await World(treeCase)
        let (parent, child) = (world.accounts[0], world.contacts.first ?? "")
        try world.change(treeCase.localParent, "accounts", parent, "Name")
        try world.change(treeCase.localChild, "contacts", child, "LastName")
        // A child that goes with its parent is gone already.
        try world.changeRemotely(treeCase.remoteChild, "Contact", child, "LastName")
        try world.changeRemotely(treeCase.remoteParent, "Account", parent, "Name")
        let before = (rows: try world.rows(), accounts: world.mock.records(of: "Account"))

        let left = try await world.push(.leaveIfChanged)
        #expect(left.totalSize == 1)
        if treeCase.passes {
            #expect(left.summary.left == 0)
        } else {
            #expect(left.summary.left > 0)
            #expect(try world.rows() == before.rows)
            #expect(world.mock.records(of: "Account").map(JSONValue.object) == before.accounts.map(JSONValue.object))
        }
        let overwritten = try await world.push(.overwrite)
        #expect(overwritten.totalSize == (treeCase.passes ? 0 : 1))
        if !treeCase.isLookup || treeCase.localParent != .delete {
            try world.expectInStep()
        }
        try expectEnd(treeCase, world, parent, child)
    }

    /// What is left on both sides.
    private func expectEnd(_ treeCase: TreeCase, _ world: World, _ parent: String, _ child: String) throws {
        let accounts = try world.objects("accounts")
        let contacts = try world.objects("contacts")
        let isAnew = treeCase.localParent == .update && treeCase.remoteParent == .delete
        if treeCase.localParent == .delete {
            #expect(accounts.count == 1)
            #expect(world.mock.record("Account", parent) == nil)
            let kept = treeCase.isLookup ? 4 : treeCase.hasChildren ? 2 : 0
            #expect(contacts.count == kept)
            #expect(world.mock.records(of: "Contact").count == kept)
            if treeCase.localChild == .update, treeCase.isLookup {
                #expect(world.mock.record("Contact", child)?["LastName"] == "Local")
            }
            return
        }
        let own = accounts.first { $0["Name"] == (treeCase.localParent == .update ? "Local" : "One") }
        let id = try #require(own?["Id"]?.string)
        #expect((id == parent) == !isAnew)
        let children = contacts.filter { $0["AccountId"]?.string == id }
        #expect(children.count == (treeCase.hasChildren ? treeCase.localChild == .delete ? 1 : 2 : 0))
        let isSameChild = children.contains { $0["Id"]?.string == child }
        let isGone = treeCase.remoteChild == .delete || isAnew && !treeCase.isLookup
        if treeCase.hasChildren, treeCase.localChild != .delete {
            #expect(isSameChild == !isGone)
        }
        if treeCase.localChild == .update {
            #expect(children.contains { $0["LastName"] == "Local" })
        }
    }

    @Test func `a parent that was created and deleted goes without a call, and its child by its own flags`()
        async throws
    {
        let world = try await World(isLookup: true)
        let edits = LocalEdits(world.setup.store, soup: "accounts")
        let created = try await edits.create(["Name": "New"])
        let id = try #require(created["Id"]?.string)
        var row = created
        row[ReservedField.locallyDeleted] = true
        try await world.setup.store.upsert([JSONValue.object(row)], into: "accounts")
        let child = world.contacts[0]
        let found = try await world.setup.store.lookupEntryId(inSoup: "contacts", path: "Id", value: .text(child))
        let entryId = try #require(found)
        _ = try await LocalEdits(world.setup.store, soup: "contacts").update(
            entryId, changes: ["LastName": "Local", "AccountId": .string(id)])
        let state = try await world.push(.leaveIfChanged)
        #expect(state.totalSize == 1)
        #expect(try world.objects("accounts").count == 2)
        #expect(world.mock.record("Contact", child)?["LastName"] == "Local")
        #expect(try world.objects("contacts").allSatisfy { !LocalFlags(of: $0).isDirty })
    }

    @Test(arguments: [24, 25, 60])
    func `a tree of many children is sent in calls of 25`(_ count: Int) async throws {
        let world = try await World(isLookup: false)
        let parents = LocalEdits(world.setup.store, soup: "accounts")
        let children = LocalEdits(world.setup.store, soup: "contacts")
        let parent = try await #require(try parents.create(["Name": "Big"])["Id"])
        for number in 0..<count {
            _ = try await children.create(["LastName": .string("c\(number)"), "AccountId": parent])
        }
        let state = try await world.push(.overwrite)
        #expect(state.summary.requests == (count + 1 + 24) / 25)
        #expect(state.summary.created == count + 1)
        try world.expectInStep()
    }

    @Test func `a record that is gone is created again once, and a second refusal is kept`() async throws {
        let world = try await World(isLookup: false)
        try world.change(.update, "accounts", world.accounts[0], "Name")
        try world.mock.delete("Account", world.accounts[0])
        world.mock.add(
            FaultRule(.refuse(RecordRefusal(status: 404, code: "NOT_FOUND")), call: .composite, nth: 1, times: nil))
        let state = try await world.push(.overwrite)
        #expect(state.summary.requests == 2)
        let row = try #require(try world.objects("accounts").first)
        #expect(row[ReservedField.lastError]?.string?.contains("REJECTED_TWICE") == true)
        #expect(LocalFlags(of: row).isUpdated)
    }
}
