/// The calls that look after a store: copies, checks, lines out, migrations.
extension CallSignature {
    static let maintenance: [CallSignature] = [
        CallSignature("store.backup", ["path", "name", "newKey"], needs: [.backup], dependsOnBackEnd: true),
        CallSignature("store.check", needs: [.maintenance]),
        CallSignature("store.exportLines", ["soupName", "systemFields", "salvage"], needs: [.maintenance]),
        CallSignature("store.inspect", needs: [.maintenance]),
        CallSignature("store.migrate", ["migrations"], needs: [.migration]),
    ]
}
