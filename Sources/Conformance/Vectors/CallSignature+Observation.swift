/// The calls that watch what is committed.
extension CallSignature {
    static let observation = [
        CallSignature("store.changes", ["soups"], needs: [.observation]),
        CallSignature("store.takeChanges", ["handle"], needs: [.observation]),
        CallSignature("store.awaitChanges", ["soups", "call", "args"], needs: [.observation, .awaiting]),
        CallSignature(
            "store.awaitResult",
            ["soupName", "querySpec", "limit", "entryIds", "smartSql", "arguments", "call", "args"],
            needs: [.awaiting]),
    ]
}
