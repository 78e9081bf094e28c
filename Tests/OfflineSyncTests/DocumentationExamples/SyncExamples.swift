import MockService
import OfflineStore
import OfflineSync
import Soups
import Testing

/// The examples in the documentation of syncs.
@Suite struct SyncExamples {
    private func setup() throws -> SyncSetup {
        let setup = try SyncSetup()
        try setup.register("accounts")
        try setup.mock.create("Account", ["Name": "Acme"])
        return setup
    }

    @Test func `the example of SyncManager`() async throws {
        let setup = try setup()
        let (store, network) = (setup.store, setup.mock.transport)
        // Example: Sources/OfflineSync/Manager/SyncManager.swift
        let manager = try SyncManager(store: store, transport: network)
        let target: JSONObject = ["type": "soql", "query": "select Name, Industry from Account"]
        let state = try await manager.sync(.down, target: target, soup: "accounts", name: "accounts")
        try state.requireDone()
        // Later: only what has changed since.
        try await manager.reSync("accounts")
        // End of example
        #expect(try setup.rows("SELECT {accounts:Id} FROM {accounts}").count == 1)
    }

    @Test func `the example of the catalogue about syncs`() async throws {
        let setup = try setup()
        let (store, network) = (setup.store, setup.mock.transport)
        // Example: Sources/OfflineSync/OfflineSync.docc/OfflineSync.md
        let manager = try SyncManager(store: store, transport: network)
        let query: JSONObject = ["type": "soql", "query": "select Name, Industry from Account"]
        let state = try await manager.sync(.down, target: query, soup: "accounts", name: "accounts")
        // End of example
        #expect(state.summary.saved == 1)
    }

    private typealias NoteTarget = NoteScenario.NoteTarget

    @Test func `the example of TargetRegistry`() throws {
        // Example: Sources/OfflineSync/Registry/TargetRegistry.swift
        var options = SyncManagerOptions()
        options.targets.addDown("NoteTarget") { definition in NoteTarget(json: definition) }
        // {"type": "custom", "swiftImpl": "NoteTarget"} is now such a target.
        // End of example
        let target = try options.targets.downTarget(["type": "custom", "swiftImpl": "NoteTarget"])
        #expect(target is NoteTarget)
    }

    @Test func `the example of MetadataManager`() async throws {
        let manager = try setup().manager()
        // Example: Sources/OfflineSync/Models/MetadataManager.swift
        let metadata = MetadataManager(manager)
        let account = try await metadata.fetch("Account", mode: .cacheFirst).model
        // End of example
        #expect(account?.name == "Account")
    }

    @Test func `the example of LayoutManager`() async throws {
        let manager = try setup().manager()
        // Example: Sources/OfflineSync/Models/LayoutManager.swift
        let layouts = LayoutManager(manager)
        let editing = LayoutQuestion("Account", formFactor: "Medium", layoutType: "Compact", mode: "Edit")
        let sections = try await layouts.fetch(editing, mode: .serverFirst).model?.sections
        // End of example
        #expect(sections?.isEmpty == false)
    }
}
