/// The calls that look after a store: copies, checks, lines, migrations, what its file takes, and its tables.
extension CallSignature {
    static let maintenance: [CallSignature] = [
        CallSignature("store.backup", ["path", "name", "newKey"], needs: [.backup], dependsOnBackEnd: true),
        CallSignature("store.check", needs: [.maintenance]),
        CallSignature("store.exportLines", ["soupName", "systemFields", "salvage"], needs: [.maintenance]),
        CallSignature("store.inspect", needs: [.maintenance]),
        CallSignature("store.migrate", ["migrations"], needs: [.migration]),
        CallSignature(
            "store.load", ["soupName", "lines", "externalIdPath", "entriesPerTransaction"], needs: [.load]),
        CallSignature("store.restore", ["from", "key"], needs: [.restoration]),
        CallSignature("store.sizes", needs: [.upkeep], dependsOnBackEnd: true),
        CallSignature("store.compact", needs: [.upkeep], dependsOnBackEnd: true),
        CallSignature("store.optimize", needs: [.upkeep]),
        CallSignature("store.suspend", needs: [.suspending]),
        CallSignature("store.resume", needs: [.suspending]),
        CallSignature("store.executeSQL", ["statements"], needs: [.tables]),
    ]
}
