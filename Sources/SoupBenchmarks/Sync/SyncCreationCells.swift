import Benchmarking
import LocalChanges
import OfflineStore
import OfflineSync
import Soups

/// What the note of creations that are in doubt (level C) costs next to creations with a key (level A).
enum SyncCreationCells: CellSource {
    private static let soup = "accounts"
    private static let keyed = "level-a"
    private static let noted = "level-c"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return [cell(scope.profile.name == .smoke ? 50 : 500)]
    }

    private static func cell(_ records: Int) -> Cell {
        Cell(
            "sync-up-creations", ["records": String(records)], revision: 1,
            summary: "creates \(records) records, by a key and with a note of what is in doubt",
            arms: Arm.all(keyed, noted), comparisons: Cell.Comparison.ways(keyed, noted), style: .once, primary: .cpu,
            pairs: 10, profile: .full
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            try SyncRecords.register(store, soup)
            try create(records, store)
            let manager = try SyncManager(store: store, transport: AgreeingService())
            let target = target(hasKey: arm.way == keyed)
            return StoreSubject(store, folder: workplace.folder, markers: []) { _, _ in
                try WaitingWork.result {
                    try await manager.sync(.up, target: target, soup: soup).requireDone().summary.created
                }
            } answer: { store, digest in
                digest.add(try store.count(.exact(path: "__local__", matchKey: "false"), soup: soup))
            }
        }
    }

    private static func create(_ count: Int, _ store: SmartStore) throws {
        let edits = LocalEdits(store, soup: soup)
        try store.transaction { _ in
            for number in 0..<count {
                _ = try edits.create([
                    "Name": .string("new \(number)"), "Key__c": .string("key \(number)"),
                    "attributes": ["type": "Account"],
                ])
            }
        }
    }

    private static func target(hasKey: Bool) -> JSONObject {
        var target: JSONObject = ["swiftImpl": "collection", "createFieldlist": ["Name", "Key__c"]]
        if hasKey {
            target["externalIdFieldName"] = "Key__c"
        }
        return target
    }
}
