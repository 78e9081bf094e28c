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
            return try requesting(context, arguments) { requests in
                let removed = try await manager.cleanResyncGhosts(sync)
                return ["removed": .number(JSONNumber(Int64(removed))), "requests": .array(requests())]
            }
        },
        .apart("sync.restart", writes: true) { (context, arguments) throws(Fault) in
            let manager = try context.manager(arguments)
            let restarts = try arguments.flag("restartStoppedSyncs", default: false)
            let recorder = RunRecorder(context.sync.service)
            return try orKilled(context, arguments, recorder) {
                _ = try await manager.restart(restartStoppedSyncs: restarts, observer: recorder.note)
                return ["state": .string(manager.state.rawValue), "runs": .array(recorder.runs)]
            }
        },
    ]

    typealias Work = @Sendable (SyncManager, @escaping SyncManager.Observer) async throws -> SyncState

    /// Runs one sync. The result says how it was, or that the process was killed.
    private static func run(
        _ context: CallContext, _ arguments: CallArguments, _ work: @escaping Work
    ) throws(Fault) -> JSONValue {
        let manager = try context.manager(arguments)
        let recorder = RunRecorder(context.sync.service)
        return try orKilled(context, arguments, recorder) {
            _ = try await work(manager, recorder.note)
            return recorder.runs.last ?? .null
        }
    }

    /// Does work that asks the service, outside of runs. The work gets the requests so far.
    static func requesting(
        _ context: CallContext, _ arguments: CallArguments,
        _ work: @escaping @Sendable (_ requests: @escaping @Sendable () -> [JSONValue]) async throws -> JSONValue
    ) throws(Fault) -> JSONValue {
        let recorder = RunRecorder(context.sync.service)
        return try orKilled(context, arguments, recorder) {
            try await work { recorder.requests }
        }
    }

    /// Gives the result of asynchronous work, unless the process was killed during it.
    private static func orKilled(
        _ context: CallContext, _ arguments: CallArguments, _ recorder: RunRecorder,
        _ work: @escaping @Sendable () async throws -> JSONValue
    ) throws(Fault) -> JSONValue {
        try orKilled(context, arguments) { () throws(Fault) in try SyncCalls.awaiting(work) }
    }

    /// Gives the result of work. If the process was killed during it, opens its store as the next process would, and
    /// says so.
    static func orKilled(
        _ context: CallContext, _ arguments: CallArguments, _ work: () throws(Fault) -> JSONValue
    ) throws(Fault) -> JSONValue {
        let service = context.sync.service
        let first = service.requestCount
        // Of a call before, that could not say so.
        _ = service.takeKill()
        let outcome: Result<JSONValue, Fault>
        do throws(Fault) {
            outcome = .success(try work())
        } catch {
            outcome = .failure(error)
        }
        guard service.takeKill() else { return try outcome.get() }
        let requests = service.requests(from: first).map(\.json)
        try context.reopenAfterCrash(arguments)
        return ["killed": true, "requests": .array(requests)]
    }
}

/// Records the updates of runs, and the requests of each: runs ask one after the other.
final class RunRecorder: Sendable {
    private struct State {
        /// By the id of the sync: several runs may be queued at once.
        var updates: [Int64: [JSONValue]] = [:]
        var runs: [JSONValue] = []
        /// The number of the first request of the run under way.
        var firstRequest: Int
    }

    private let service: ScriptedService
    private let state: Mutex<State>

    init(_ service: ScriptedService) {
        self.service = service
        state = Mutex(State(firstRequest: service.requestCount))
    }

    var runs: [JSONValue] { state.withLock { $0.runs } }
    /// The requests since the last run has ended.
    var requests: [JSONValue] { service.requests(from: state.withLock { $0.firstRequest }).map(\.json) }

    @Sendable func note(_ sync: SyncState) {
        let update: JSONValue = [
            .string(sync.status.rawValue), .number(JSONNumber(Int64(sync.progress))),
            .number(JSONNumber(Int64(sync.totalSize))),
        ]
        state.withLock { state in
            state.updates[sync.id, default: []].append(update)
            guard sync.status != .running else { return }
            let requests = service.requests(from: state.firstRequest).map(\.json)
            state.firstRequest += requests.count
            let updates = state.updates.removeValue(forKey: sync.id) ?? []
            state.runs.append([
                "sync": .object(sync.json), "updates": .array(updates), "requests": .array(requests),
                "summary": Self.json(sync.summary, sync.type),
            ])
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
