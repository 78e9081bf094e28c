import OfflineSync
import Synchronization

/// A service in memory, whose records a test may change, and which notes what is asked of it.
final class MemoryRemote: Remote {
    private struct State {
        var records: [String: JSONObject] = [:]
        var calls: [String] = []
        var created = 0
        var failure: Fault?
        /// Called once, before the next change is made.
        var meanwhile: (@Sendable () throws -> Void)?
    }

    private let state = Mutex(State())

    subscript(id: String) -> JSONObject? {
        get { state.withLock { $0.records[id] } }
        set { state.withLock { $0.records[id] = newValue } }
    }

    var failure: Fault? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    func beforeNextChange(_ work: @escaping @Sendable () throws -> Void) { state.withLock { $0.meanwhile = work } }

    /// The calls since this was last asked.
    func takeCalls() -> [String] {
        state.withLock { state in
            defer { state.calls = [] }
            return state.calls
        }
    }

    func change(_ id: String, _ name: String, _ value: JSONValue?) {
        state.withLock { $0.records[id, default: [:]][name] = value }
    }

    func read(_ id: String, fields: [String]?) async throws -> JSONObject? {
        try state.withLock { state in
            state.calls.append("read \(id)")
            if let failure = state.failure { throw failure }
            guard let record = state.records[id] else { return nil }
            guard let fields else { return record }
            return JSONObject(record.members.filter { fields.contains($0.name) }.map { ($0.name, $0.value) })
        }
    }

    func create(_ fields: JSONObject) async throws -> String {
        try runMeanwhile()
        return try state.withLock { state in
            state.calls.append("create \(JSONValue.object(fields).text())")
            if let failure = state.failure { throw failure }
            state.created += 1
            let id = "00\(state.created)"
            var record = fields
            record["Id"] = .string(id)
            state.records[id] = record
            return id
        }
    }

    func update(_ id: String, with fields: JSONObject) async throws {
        try runMeanwhile()
        try state.withLock { state in
            state.calls.append("update \(id) \(JSONValue.object(fields).text())")
            if let failure = state.failure { throw failure }
            for (name, value) in fields.members {
                state.records[id]?[name] = value
            }
        }
    }

    func delete(_ id: String) async throws -> Bool {
        try runMeanwhile()
        return try state.withLock { state in
            state.calls.append("delete \(id)")
            if let failure = state.failure { throw failure }
            return state.records.removeValue(forKey: id) != nil
        }
    }

    private func runMeanwhile() throws {
        let work = state.withLock { state in
            defer { state.meanwhile = nil }
            return state.meanwhile
        }
        try work?()
    }
}
