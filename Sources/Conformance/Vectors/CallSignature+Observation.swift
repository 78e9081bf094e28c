/// The calls that watch what is committed.
extension CallSignature {
    static let observation = [
        CallSignature("store.changes", ["soups"], needs: [.observation]),
        CallSignature("store.takeChanges", ["handle"], needs: [.observation]),
    ]
}
