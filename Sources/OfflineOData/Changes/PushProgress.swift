import JSONText
import LocalChanges
import OData
import Soups
import Synchronization

/// How far a push is: what became of its changes, and the keys that the service has given.
final class PushProgress: Sendable {
    let plan: [PlannedChange]
    private let client: ODataClient
    private let state = Mutex(State())

    private struct State {
        var outcomes: [Int: PushOutcome] = [:]
        /// The keys that local ids have become, by set and local id.
        var keys: [ByteKey: String] = [:]
    }

    init(_ client: ODataClient, _ plan: [PlannedChange]) {
        self.client = client
        self.plan = plan
    }

    /// The outcomes in the order of the plan.
    var outcomes: [PushOutcome] {
        state.withLock { state in plan.indices.compactMap { state.outcomes[$0] } }
    }

    /// Notes what became of a change.
    func note(_ position: Int, _ kind: PushOutcome.Kind, _ error: JSONObject? = nil) {
        state.withLock { state in
            let change = plan[position]
            state.outcomes[position] = PushOutcome(
                entitySet: change.set.name, entryId: change.entryId, operation: change.operation, kind: kind,
                error: error)
        }
    }

    func isDone(_ position: Int) -> Bool { state.withLock { $0.outcomes[position]?.kind == .done } }
    func isMet(_ position: Int) -> Bool { state.withLock { $0.outcomes[position] != nil } }

    /// Notes that a change was refused, and reports it.
    func noteRefusal(of change: PlannedChange, _ error: JSONObject, at position: Int) {
        note(position, .refused, error)
        client.options.events?(
            .refused(set: change.set.name, entryId: change.entryId, status: Int(error["status"]?.int64 ?? 0)))
    }

    /// Notes the key that a new entity has got in place of its local id.
    func note(key: String, of set: MappedEntitySet, for former: String) {
        state.withLock { $0.keys[ByteKey(set.name + "\0" + former)] = key }
    }

    /// A change whose row, since it was sent, refers to new entities by their keys, which is not an edit.
    func withNewKeys(_ sent: SentChange) -> SentChange {
        var sent = sent
        let keys = state.withLock { $0.keys }
        guard !keys.isEmpty else { return sent }
        for reference in client.map.references(ofDependent: sent.set.name) {
            guard let principal = client.map.find(reference.principal) else { continue }
            for (path, name) in zip(reference.foreignKey, reference.principalKey) {
                guard let id = sent.image.value(at: path)?.string, LocalId.isLocal(id),
                    let key = keys[ByteKey(principal.name + "\0" + id)],
                    let part = KeyReplacement.part(name, of: key, principal)
                else { continue }
                sent.image = sent.image.setting(part, at: path)
            }
        }
        return sent
    }

    /// A delete of one of the entities that match a row: the row stays until all of them are deleted.
    func withOtherDeletes(_ given: SentChange, at position: Int) -> SentChange {
        var sent = given
        guard sent.change.operation == .delete, sent.change.partner != nil else { return sent }
        func isOther(_ change: PlannedChange) -> Bool {
            change.operation == .delete && change.entryId == sent.change.entryId
        }
        sent.change.keepsRow = state.withLock { state in
            // The deletes of a row are next to each other in the plan.
            let before = plan[..<position].indices.reversed().prefix { isOther(plan[$0]) }
            let after = plan.indices.dropFirst(position + 1).prefix { isOther(plan[$0]) }
            return (Array(before) + after).contains { state.outcomes[$0]?.kind != .done }
        }
        return sent
    }
}
