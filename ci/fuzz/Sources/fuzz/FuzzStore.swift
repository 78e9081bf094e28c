import Dispatch
import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store with local changes of every kind, which each input finds as it was.
final class FuzzStore: Sendable {
    private let store: SmartStore
    private let manager: SyncManager
    private let answers = FuzzAnswers()
    private let replaced = Replaced()

    /// The rows that are changed locally, by their names, and the clean ones.
    private static let rows: [String: [String]] = [
        "accounts": [
            #"{"Id":"A1","Name":"mine 1",\#(account),\#(date),"__local__":true,"__locally_updated__":true}"#,
            #"{"Id":"local_1","Name":"mine 2",\#(account),"__local__":true,"__locally_created__":true}"#,
            #"{"Id":"A3","Name":"mine 3",\#(account),\#(date),"__local__":true,"__locally_deleted__":true}"#,
            #"{"Id":"A4","Name":"clean",\#(account),\#(date),"__local__":false,"__sync_id__":1}"#,
        ],
        "contacts": [
            #"{"Id":"C1","Name":"mine 1","AccountId":"A1",\#(date),"__local__":true,"__locally_updated__":true}"#,
            #"{"Id":"local_2","Name":"mine 2","AccountId":"A1","__local__":true,"__locally_created__":true}"#,
            #"{"Id":"local_3","Name":"mine 3","AccountId":"local_1","__local__":true,"__locally_created__":true}"#,
            #"{"Id":"C4","Name":"clean","AccountId":"A1",\#(date),"__local__":false,"__sync_id__":1}"#,
        ],
    ]
    private static let account = #""attributes":{"type":"Account"}"#
    private static let date = #""LastModifiedDate":"2020-09-01T10:00:00Z""#

    /// The ids that records have got, as the manager says.
    private final class Replaced: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func reset() { count.withLock { $0 = 0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    init() {
        do {
            let process = ProcessInfo.processInfo.processIdentifier
            let path = FileManager.default.temporaryDirectory.path + "/sync-answers-\(process).db"
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
            var options = StoreOptions(library: try SQLiteLibrary.find(.plain))
            options.settings.durability = .relaxed
            store = try SmartStore(path: path, options: options)
            for soup in ["accounts", "contacts"] {
                try store.registerSoup(
                    soup,
                    indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__"), .string("AccountId")])
            }
            var managing = SyncManagerOptions()
            managing.clock = StoreClock { 1_600_000_000_000 }
            managing.uuids = .counting()
            let replaced = replaced
            managing.events = { event in
                if case .idReplaced = event { replaced.add() }
            }
            manager = try SyncManager(store: store, transport: answers, options: managing)
        } catch {
            fatalError("no store to fuzz: \(error)")
        }
    }

    /// Runs a sync twice, and for one down the cleaning of its ghosts too.
    func run(_ sync: FuzzSync, _ given: [[UInt8]]) {
        do {
            try fill()
            answers.set(given)
            replaced.reset()
            let manager = manager
            try Self.waiting {
                let isModel = sync.target["type"] == "metadata" || sync.target["type"] == "layout"
                let soup = isModel ? "contacts" : "accounts"
                let state = try await manager.sync(
                    sync.type, target: sync.target, soup: soup, options: SyncOptions(mergeMode: sync.mode))
                precondition(state.status == .done || state.status == .failed, "the run did not end")
                _ = try await manager.reSync(.id(state.id))
                if sync.type == .down {
                    // Any fault is right: the answers are what they are.
                    _ = try? await manager.cleanResyncGhosts(.id(state.id))
                }
                try await manager.deleteSync(.id(state.id))
            }
            try check(sync)
        } catch {
            preconditionFailure("the store is at fault: \(error)")
        }
    }

    private func fill() throws {
        for (soup, rows) in Self.rows {
            try store.clearSoup(soup)
            try store.upsert(rows.map { Array($0.utf8) }, into: soup)
        }
        if try store.soupExists(Outbox.soupName) {
            try store.clearSoup(Outbox.soupName)
        }
    }

    /// A change stays in its row, with its content, until an answer has come that may have taken it.
    private func check(_ sync: FuzzSync) throws {
        for soup in Self.rows.keys {
            let rows = try store.query(.all(pageSize: 1_000), soup: soup).currentPage.entries.map { entry in
                try JSONValue(parsing: Array(entry)).object ?? JSONObject()
            }
            for name in ["mine 1", "mine 2", "mine 3"] {
                let row = rows.first { $0["Name"]?.string == name }
                let isDirty = row.map { LocalFlags(of: $0).isDirty } ?? false
                guard sync.type == .up else {
                    precondition(isDirty, "a sync down has lost a local change of \(soup)")
                    continue
                }
                precondition(isDirty || answers.delivered > 0, "a change of \(soup) went without an answer")
                let wasDeleted = soup == "accounts" && name == "mine 3"
                // Two rows may have become one record.
                precondition(row != nil || wasDeleted || replaced.value > 0, "a row of \(soup) has gone")
            }
        }
    }

    /// Runs asynchronous work and blocks the calling thread meanwhile.
    private static func waiting(_ work: @escaping @Sendable () async throws -> Void) throws {
        let result = Mutex<Result<Void, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Task {
            do {
                try await work()
                result.withLock { $0 = .success(()) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        ended.wait()
        try result.withLock { $0 }?.get()
    }
}
