import Benchmarking
import MockService
import OfflineStore
import OfflineSync
import Soups

/// Syncs down and cleanings of ghosts from the mock service, whose own work is part of the time. No other library has
/// published such figures.
enum MockSyncCells: CellSource {
    private static let backends = [Arm.plain, Arm.cipher]

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let isSmoke = scope.profile.name == .smoke
        return (isSmoke ? [500] : [1_000, 10_000, 50_000]).map(down) + [
            ghosts(isSmoke ? 500 : 10_000), trees(isSmoke ? 50 : 1_000),
        ]
    }

    private static let query: JSONObject = ["type": "soql", "query": "select Name, Description from Account"]

    private static func down(_ entries: Int) -> Cell {
        cell("mock-sync-down", ["entries": String(entries)], "brings \(entries) records of the mock service") { store in
            let mock = try service(entries)
            let manager = try SyncManager(store: store, transport: mock.transport)
            return {
                try await manager.sync(.down, target: query, soup: "accounts").requireDone().summary.fetched
            }
        }
    }

    private static func ghosts(_ entries: Int) -> Cell {
        cell("mock-sync-ghosts", ["entries": String(entries)], "cleans \(entries) rows, of which 1 % are gone") {
            store in
            let mock = try service(entries)
            let manager = try SyncManager(store: store, transport: mock.transport)
            try WaitingWork.result {
                try await manager.sync(.down, target: query, soup: "accounts", name: "down").requireDone()
            }
            for (number, record) in mock.records(of: "Account").enumerated() where number % 100 == 7 {
                try mock.delete("Account", record["Id"]?.string ?? "")
            }
            return {
                _ = try await manager.cleanResyncGhosts("down")
                return entries
            }
        }
    }

    private static func trees(_ entries: Int) -> Cell {
        cell("mock-sync-trees", ["entries": String(entries)], "brings \(entries) parents with five children each") {
            store in
            let mock = try service(entries, children: 5)
            let manager = try SyncManager(store: store, transport: mock.transport)
            let target: JSONObject = [
                "type": "parent_children", "parent": ["sobjectType": "Account", "soupName": "accounts"],
                "parentFieldlist": ["Name"],
                "children": [
                    "sobjectType": "Contact", "sobjectTypePlural": "Contacts", "soupName": "contacts",
                    "parentIdFieldName": "AccountId",
                ], "childrenFieldlist": ["LastName"], "relationshipType": "MASTER_DETAIL",
            ]
            return {
                try await manager.sync(.down, target: target, soup: "accounts").requireDone().summary.fetched * 6
            }
        }
    }

    private static func service(_ accounts: Int, children: Int = 0) throws -> MockService {
        let mock = MockService()
        for number in 0..<accounts {
            let id = try mock.create(
                "Account", ["Name": .string("account \(number)"), "Description": "sync-record-marker"])
            for child in 0..<children {
                try mock.create(
                    "Contact",
                    ["LastName": .string("sync-record-marker \(child)"), "AccountId": .string(id)])
            }
            mock.clock.now += number % 10 == 0 ? 1_000 : 0
        }
        mock.clock.now += 60_000
        return mock
    }

    private static func cell(
        _ workload: String, _ parameters: KeyValuePairs<String, String>, _ summary: String,
        _ work: @escaping @Sendable (SmartStore) throws -> @Sendable () async throws -> Int
    ) -> Cell {
        Cell(
            workload, parameters, revision: 1, summary: summary, arms: backends,
            comparisons: [.init(.plain, .cipher, sameAnswer: false)], style: .once, primary: .cpu, pairs: 6,
            profile: .full
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            for soup in ["accounts", "contacts"] {
                try store.registerSoup(
                    soup,
                    indexSpecs: [
                        .string("Id"), .string("__local__"), .integer("__sync_id__"), .string("AccountId"),
                    ])
            }
            let run = try work(store)
            return StoreSubject(store, folder: workplace.folder, markers: []) { _, _ in
                try WaitingWork.result(run)
            } answer: { store, digest in
                digest.add(try store.count(.all(), soup: "accounts"))
                digest.add(try store.count(.all(), soup: "contacts"))
            }
        }
    }
}
