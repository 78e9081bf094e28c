import JSONText
import OfflineSync
import Soups
import Synchronization

/// The calls that run syncs and clean their ghosts.
enum SyncRunCalls {
    static let all: [CallHandler] = [
        .apart("sync.runSync", writes: true) { (context, arguments) throws(Fault) in
            if let sync = try SyncArguments.named(arguments) {
                return try run(context, arguments) { try await $0.reSync(sync, observer: $1) }
            }
            let new = try SyncArguments(arguments)
            return try run(context, arguments) { manager, observer in
                try await manager.sync(
                    new.type, target: new.target, soup: new.soup, options: new.options, name: new.name,
                    observer: observer)
            }
        },
        .apart("sync.reSync", writes: true) { (context, arguments) throws(Fault) in
            let sync = try SyncArguments.reference(arguments)
            return try run(context, arguments) { try await $0.reSync(sync, observer: $1) }
        },
        .apart("sync.cleanResyncGhosts", writes: true) { (context, arguments) throws(Fault) in
            let sync = try SyncArguments.reference(arguments)
            let manager = try context.manager(arguments)
            _ = context.sync.service.takeRequests()
            let removed = try SyncCalls.awaiting { try await manager.cleanResyncGhosts(sync) }
            return [
                "removed": .number(JSONNumber(Int64(removed))),
                "requests": .array(context.sync.service.takeRequests().map(\.json)),
            ]
        },
        .apart("sync.restart", writes: true) { (context, arguments) throws(Fault) in
            let manager = try context.manager(arguments)
            let restarts = try arguments.flag("restartStoppedSyncs", default: false)
            let recorder = RunRecorder(context.sync.service)
            try SyncCalls.awaiting {
                try await manager.restart(restartStoppedSyncs: restarts, observer: recorder.note)
            }
            return ["state": .string(manager.state.rawValue), "runs": .array(recorder.runs)]
        },
    ]

    typealias Work = @Sendable (SyncManager, @escaping SyncManager.Observer) async throws -> SyncState

    /// Runs one sync. The result says how it was, or that the process was killed.
    private static func run(
        _ context: CallContext, _ arguments: CallArguments, _ work: @escaping Work
    ) throws(Fault) -> JSONValue {
        let manager = try context.manager(arguments)
        let service = context.sync.service
        let recorder = RunRecorder(service)
        let outcome: Result<SyncState, Fault>
        do throws(Fault) {
            outcome = .success(try SyncCalls.awaiting { try await work(manager, recorder.note) })
        } catch {
            outcome = .failure(error)
        }
        if service.takeKill() {
            let requests = recorder.requests + service.takeRequests().map(\.json)
            try context.reopenAfterCrash(arguments)
            return ["killed": true, "requests": .array(requests)]
        }
        _ = try outcome.get()
        return recorder.runs.last ?? .null
    }
}

/// Records the updates of runs, and the requests between their first and their last one.
final class RunRecorder: Sendable {
    private struct State {
        var updates: [JSONValue] = []
        var runs: [JSONValue] = []
        var requests: [JSONValue] = []
    }

    private let service: ScriptedService
    private let state = Mutex(State())

    init(_ service: ScriptedService) {
        self.service = service
        _ = service.takeRequests()
    }

    var runs: [JSONValue] { state.withLock { $0.runs } }
    /// The requests of the last run, if that has ended.
    var requests: [JSONValue] { state.withLock { $0.requests } }

    @Sendable func note(_ sync: SyncState) {
        let update: JSONValue = [
            .string(sync.status.rawValue), .number(JSONNumber(Int64(sync.progress))),
            .number(JSONNumber(Int64(sync.totalSize))),
        ]
        state.withLock { state in
            state.updates.append(update)
            guard sync.status != .running else { return }
            state.requests = service.takeRequests().map(\.json)
            state.runs.append([
                "sync": .object(sync.json), "updates": .array(state.updates), "requests": .array(state.requests),
                "summary": Self.json(sync.summary, sync.type),
            ])
            state.updates = []
        }
    }

    private static func json(_ summary: SyncSummary, _ type: SyncType) -> JSONValue {
        let own: [(String, Int)] =
            switch type {
            case .down:
                [("fetched", summary.fetched), ("saved", summary.saved), ("skipped", summary.skipped)]
            case .up:
                [
                    ("pushed", summary.pushed), ("created", summary.created), ("recreated", summary.recreated),
                    ("refused", summary.refused), ("left", summary.left), ("applied", summary.applied),
                    ("held", summary.held), ("removed", summary.removed),
                ]
            }
        let all = own + [("requests", summary.requests), ("bytes", summary.bytes)]
        return .object(JSONObject(all.map { ($0.0, .number(JSONNumber(Int64($0.1)))) }))
    }
}
