import Dispatch
import JSONText
import LocalChanges
import MockService
import OfflineStore
import OfflineSync
import ServiceTransport
import Soups
import Synchronization

/// The syncs that the child runs while it may be killed. `prepare` has filled the store before.
enum SyncTask: String, CaseIterable {
    /// Three pages of a query, with a dirty row that is left.
    case syncDown
    /// Three pages of parents, some with further pages of children, with a dirty child whose tree is left.
    case syncTrees
    /// Three pages of ids, of which five rows are not one.
    case syncGhosts

    static let soups = ["accounts", "contacts"]
    /// The number of rows that are ghosts for `syncGhosts`.
    static let ghosts = 5

    /// The service: the same one in each process.
    static func service() throws -> MockService {
        var options = MockOptions()
        options.pageSize = 8
        options.childPageSize = 1
        let service = MockService(options: options)
        for number in 0..<20 {
            let account = try service.create("Account", ["Name": .string("account \(number)")])
            for child in 0..<(number % 5 == 0 ? 2 : 1) {
                try service.create(
                    "Contact", ["LastName": .string("contact \(number)-\(child)"), "AccountId": .string(account)])
            }
            // Two have each time, so that times cross the ends of pages.
            service.clock.now += number % 2 == 0 ? 0 : 1_000
        }
        service.clock.now += 60_000
        return service
    }

    private var target: JSONObject {
        guard self == .syncTrees else {
            return ["type": "soql", "query": "select Name from Account"]
        }
        return [
            "type": "parent_children", "parent": ["sobjectType": "Account", "soupName": "accounts"],
            "parentFieldlist": ["Name"],
            "children": [
                "sobjectType": "Contact", "sobjectTypePlural": "Contacts", "soupName": "contacts",
                "parentIdFieldName": "AccountId",
            ], "childrenFieldlist": ["LastName"], "relationshipType": "MASTER_DETAIL",
        ]
    }

    /// Fills a store and keeps the sync in it under the name `down`.
    func prepare(_ store: SmartStore) throws {
        for soup in Self.soups {
            try store.registerSoup(
                soup,
                indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__"), .string("AccountId")])
        }
        let service = try Self.service()
        let manager = try SyncManager(store: store, transport: service.transport)
        let target = target
        try Self.waiting {
            try await manager.createSync(
                .down, target: target, soup: "accounts", options: SyncOptions(mergeMode: .leaveIfChanged), name: "down")
        }
        if self == .syncGhosts {
            try Self.waiting { try await manager.reSync("down").requireDone() }
            let ghosts = (1...Self.ghosts).map { number in
                Array(#"{"Id":"001GONE\#(number)","__local__":false,"__sync_id__":1}"#.utf8)
            }
            try store.upsert(ghosts, into: "accounts")
        }
        try Self.waiting { await manager.close() }
        try edit(store, service)
    }

    /// A local change of one record of the service, and one that only this device knows.
    private func edit(_ store: SmartStore, _ service: MockService) throws {
        let isChild = self == .syncTrees
        let soup = isChild ? "contacts" : "accounts"
        let record = service.records(of: isChild ? "Contact" : "Account")[10]
        let edits = LocalEdits(store, soup: soup, keepsOriginals: true, uuids: .counting())
        let id = record["Id"] ?? .null
        var row = try store.lookUp([.text(id.string ?? "")], path: "Id", in: soup, selecting: ["_soupEntryId"]).first
        if row == nil {
            let clean: JSONObject = ["Id": id, "AccountId": record["AccountId"] ?? .null, "__local__": false]
            try store.upsert([JSONValue.object(clean).bytes()], into: soup)
            row = try store.lookUp([.text(id.string ?? "")], path: "Id", in: soup, selecting: ["_soupEntryId"]).first
        }
        guard case .value(.integer(let entryId))? = row?.first else { return }
        _ = try edits.update(entryId, changes: ["Description": "mine"])
        _ = try edits.create(["Description": "own"])
    }

    /// Runs the sync, and says how it ended.
    func run(_ store: SmartStore, _ transport: any Transport) throws -> String {
        let manager = try SyncManager(store: store, transport: transport)
        let isGhosts = self == .syncGhosts
        return try Self.waiting {
            if isGhosts {
                return try await manager.cleanResyncGhosts("down") == Self.ghosts ? "done" : "ghosts left"
            }
            return try await manager.reSync("down").status.rawValue == "DONE" ? "done" : "failed"
        }
    }

    /// Runs asynchronous work and waits for it.
    @discardableResult
    static func waiting<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) throws -> R {
        let result = Mutex<Result<R, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Task {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        ended.wait()
        guard let outcome = result.withLock({ $0 }) else {
            throw Fault(.closed, "the work has no result")
        }
        return try outcome.get()
    }
}
