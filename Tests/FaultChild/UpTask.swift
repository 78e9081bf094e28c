import JSONText
import LocalChanges
import MockService
import OfflineStore
import OfflineSync
import ServiceTransport
import Soups

/// The syncs up that the child runs while it may be killed. `prepare` has filled the store and changed rows before.
enum UpTask: String, CaseIterable {
    /// Each row with a call of its own; new rows have keys, so that sending again does no harm.
    case upSingle
    /// Three rows a call, with keys.
    case upComposite
    /// Three rows a call; what was created and not answered is in doubt.
    case upCollection
    /// Trees of parents and children, without keys.
    case upTrees

    static let soups = ["accounts", "contacts"]
    static let accounts = 6
    /// New names, by the positions of the records.
    static let updated = [0: "changed 0", 2: "changed 2"]
    static let deleted = [1]
    static let created = ["new 1", "new 2"]

    var isTree: Bool { self == .upTrees }
    private var hasKeys: Bool { self == .upSingle || self == .upComposite }

    /// The service: the same one in each process, after the requests of a journal.
    static func service(_ journal: String) throws -> MockService {
        let service = MockService()
        for number in 0..<accounts {
            let account = try service.create("Account", ["Name": .string("account \(number)")])
            try service.create("Contact", ["LastName": .string("contact \(number)"), "AccountId": .string(account)])
        }
        service.clock.now += 60_000
        for request in try RequestJournal.requests(in: journal) {
            _ = service.handle(request)
        }
        return service
    }

    /// The file of the requests to the service of a store.
    static func journal(_ path: String) -> String { path + ".journal" }

    private var target: JSONObject {
        let key: JSONObject = hasKeys ? ["externalIdFieldName": "ExternalId__c", "generatesExternalId": true] : [:]
        var target = key.merging(["createFieldlist": ["Name", "ExternalId__c"], "updateFieldlist": ["Name"]])
        switch self {
        case .upSingle: target["swiftImpl"] = "single"
        case .upComposite, .upCollection:
            target["swiftImpl"] = self == .upComposite ? "composite" : "collection"
            target["maxBatchSize"] = 3
        case .upTrees:
            target["swiftImpl"] = "parent_children"
            target["parent"] = ["sobjectType": "Account", "soupName": "accounts"]
            target["children"] = [
                "sobjectType": "Contact", "soupName": "contacts", "sobjectTypePlural": "Contacts",
                "parentIdFieldName": "AccountId",
            ]
            target["relationshipType"] = "MASTER_DETAIL"
            target["childrenCreateFieldlist"] = ["LastName", "ExternalId__c"]
            target["childrenUpdateFieldlist"] = ["LastName"]
        }
        return target
    }

    /// Fills a store with the records of the service, keeps the sync in it under the name `up`, and changes rows.
    func prepare(_ store: SmartStore) throws {
        for (soup, more) in [("accounts", [IndexSpec.fullText("Name")]), ("contacts", [.string("AccountId")])] {
            try store.registerSoup(
                soup, indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__")] + more)
        }
        let service = try Self.service("")
        let manager = try SyncManager(store: store, transport: service.transport)
        let target = target
        try SyncTask.waiting {
            for (soup, query) in Self.queries {
                try await manager.sync(
                    .down, target: ["type": "soql", "query": .string(query)], soup: soup,
                    options: SyncOptions(mergeMode: .leaveIfChanged), name: soup
                ).requireDone()
            }
            try await manager.createSync(.up, target: target, soup: "accounts", name: "up")
            await manager.close()
        }
        try edit(store, "accounts", "Name", ["attributes": ["type": "Account"]])
        if isTree {
            let parent = try store.query(.all(pageSize: 1_000), soup: "accounts").currentPage.entries.last
            let id = try parent.map { try JSONValue(parsing: Array($0))["Id"] ?? .null } ?? .null
            try edit(store, "contacts", "LastName", ["AccountId": id])
        }
    }

    static let queries = [
        "accounts": "select Name, ExternalId__c from Account",
        "contacts": "select LastName, AccountId, ExternalId__c from Contact",
    ]

    private func edit(_ store: SmartStore, _ soup: String, _ field: String, _ more: JSONObject) throws {
        let edits = LocalEdits(store, soup: soup, keepsOriginals: true, uuids: .counting())
        let rows = try store.query(.all(pageSize: 1_000), soup: soup).currentPage.entries
        func entry(_ number: Int) throws -> Int64 {
            try JSONValue(parsing: Array(rows[number]))["_soupEntryId"]?.int64 ?? 0
        }
        for (number, name) in Self.updated.sorted(by: { $0.key < $1.key }) {
            _ = try edits.update(entry(number), changes: [field: .string(name)])
        }
        // Details would go with their parent: of trees only children are deleted.
        for number in Self.deleted where !isTree || soup == "contacts" {
            try edits.delete(entry(number))
        }
        for name in Self.created {
            _ = try edits.create(more.merging([field: .string(name)]))
        }
    }

    /// Runs the sync, and says how it ended.
    func run(_ store: SmartStore, _ transport: any Transport) throws -> String {
        let manager = try SyncManager(store: store, transport: transport)
        return try SyncTask.waiting { try await manager.reSync("up").status.rawValue == "DONE" ? "done" : "failed" }
    }
}
