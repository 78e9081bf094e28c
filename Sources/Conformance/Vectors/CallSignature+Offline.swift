/// The calls of the offline OData client.
extension CallSignature {
    static let offline: [CallSignature] = [
        CallSignature(
            "offline.open", ["metadata", "serviceRoot", "version", "format", "sets", "options"], needs: [.odataClient]),
        CallSignature("offline.answers", ["answers"], needs: [.odataClient]),
        CallSignature("offline.load", ["entitySet", "query", "mode", "mergeMode", "since"], needs: [.odataClient]),
        CallSignature("offline.resume", ["entitySet"], needs: [.odataClient]),
        CallSignature("offline.create", ["entitySet", "entity"], needs: [.odataClient]),
        CallSignature("offline.update", ["entitySet", "key", "entryId", "changes"], needs: [.odataClient]),
        CallSignature("offline.delete", ["entitySet", "key", "entryId"], needs: [.odataClient]),
        CallSignature("offline.undelete", ["entitySet", "key", "entryId"], needs: [.odataClient]),
        CallSignature("offline.discard", ["entitySet", "key", "entryId"], needs: [.odataClient]),
        CallSignature("offline.query", ["entitySet", "query"], needs: [.odataClient]),
        CallSignature("offline.plan", ["entitySets", "mode"], needs: [.odataClient]),
        CallSignature(
            "offline.push", ["entitySets", "mode", "conflict", "batch", "changeSet"], needs: [.odataClient]),
        CallSignature("offline.pending", ["entitySet"], needs: [.odataClient]),
        CallSignature("offline.conflicts", ["entitySet"], needs: [.odataClient]),
        CallSignature("offline.doubts", ["entitySet"], needs: [.odataClient]),
        CallSignature("offline.resolve", ["entitySet", "entryId", "resolution", "entity"], needs: [.odataClient]),
        CallSignature("offline.resolveDoubt", ["entitySet", "entryId", "createdAs"], needs: [.odataClient]),
        CallSignature("offline.reopen", needs: [.odataClient]),
    ]
}
