import Benchmarking
import LocalChanges
import MockService
import OfflineStore
import OfflineSync
import Soups

/// Syncs up to the mock service by each kind of target. The service's own work is part of the time. No other library
/// has published such figures.
enum MockSyncUpCells: CellSource {
    private static let accounts = "accounts"
    private static let contacts = "contacts"
    /// Children of each parent of a tree.
    private static let children = 4

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let sizes = scope.profile.name == .smoke ? [50] : [500, 5_000]
        return ["single", "composite", "collection", "parent_children"].flatMap { kind in
            sizes.map { cell(kind, $0) }
        }
    }

    private static func cell(_ kind: String, _ entries: Int) -> Cell {
        Cell(
            "mock-sync-up", ["entries": String(entries), "target": kind.replacing("_", with: "-")], revision: 1,
            summary: "creates \(entries) records in the mock service by a target of kind \(kind)",
            arms: [.plain, .cipher], comparisons: [.init(.plain, .cipher)], style: .once, primary: .cpu, pairs: 6,
            profile: .full
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            for soup in [accounts, contacts] {
                try store.registerSoup(
                    soup,
                    indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__"), .string("AccountId")])
            }
            let isTree = kind == "parent_children"
            if isTree {
                try createTrees(entries / (1 + children), store)
            } else {
                try create(entries, store)
            }
            let mock = MockService()
            let manager = try SyncManager(store: store, transport: mock.transport)
            let target = isTree ? treeTarget : target(kind)
            return StoreSubject(store, folder: workplace.folder, markers: []) { _, _ in
                try WaitingWork.result {
                    _ = try await manager.sync(.up, target: target, soup: accounts).requireDone()
                }
                return entries
            } answer: { store, digest in
                for soup in [accounts, contacts] {
                    digest.add(try store.count(.exact(path: "__local__", matchKey: "false"), soup: soup))
                }
                digest.add(mock.records(of: "Account").count + mock.records(of: "Contact").count)
            }
        }
    }

    private static func create(_ count: Int, _ store: SmartStore) throws {
        let edits = LocalEdits(store, soup: accounts)
        try store.transaction { _ in
            for number in 0..<count {
                _ = try edits.create(["Name": .string("new \(number)"), "attributes": ["type": "Account"]])
            }
        }
    }

    private static func createTrees(_ count: Int, _ store: SmartStore) throws {
        let parents = LocalEdits(store, soup: accounts)
        let others = LocalEdits(store, soup: contacts)
        try store.transaction { _ in
            for number in 0..<count {
                let parent = try parents.create([
                    "Name": .string("new \(number)"), "attributes": ["type": "Account"],
                ])
                for child in 0..<children {
                    _ = try others.create([
                        "LastName": .string("new \(number) \(child)"), "AccountId": parent["Id"] ?? .null,
                        "attributes": ["type": "Contact"],
                    ])
                }
            }
        }
    }

    private static func target(_ kind: String) -> JSONObject {
        ["swiftImpl": .string(kind), "createFieldlist": ["Name"]]
    }

    private static let treeTarget: JSONObject = [
        "swiftImpl": "parent_children", "createFieldlist": ["Name"], "childrenCreateFieldlist": ["LastName"],
        "parent": ["sobjectType": "Account", "soupName": "accounts"],
        "children": [
            "sobjectType": "Contact", "soupName": "contacts", "sobjectTypePlural": "Contacts",
            "parentIdFieldName": "AccountId",
        ],
        "relationshipType": "MASTER_DETAIL",
    ]
}
