import OfflineCore
import TestSupport
import Testing

/// The examples about backups, checks and migrations, in the documentation of the types.
@Suite struct LookingAfterExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    @Test func `the examples of backup and restore`() async throws {
        let store = try examples.contacts()
        let path = examples.folder.file("copy.db")
        // Example: Sources/OfflineStore/Backup/SmartStore+Backup.swift
        let summary = try await store.backup(to: path)
        let entries = summary.soups.map { "\($0.name): \($0.entries)" }
        // End of example
        #expect(entries == ["contacts: 2"])
        try await restore(path, to: examples.folder.file("restored.db"))
    }

    private func restore(_ backup: String, to path: String) async throws {
        let library = try SQLiteLibrary.find(.plain)
        // Example: Sources/OfflineStore/Backup/SmartStore+Restore.swift
        try await SmartStore.restore(
            from: backup, key: nil, to: path, replacing: true, options: StoreOptions(library: library))
        // End of example
        let restored = try SmartStore(path: path, options: StoreOptions(library: library))
        #expect(try await restored.count(.all(), soup: "contacts") == 2)
    }

    @Test func `the examples of the article`() async throws {
        let store = try examples.contacts()
        let library = try SQLiteLibrary.find(.plain)
        let path = examples.folder.file("contacts.db")
        let backupPath = examples.folder.file("backup.db")
        try await store.upsert([["fullName": "Grace"]], into: "contacts")
        // Example: Sources/OfflineCore/OfflineCore.docc/LookingAfterAStore.md
        let summary = try await store.backup(to: backupPath) { progress in
            print(progress.phase, progress.done, progress.total)
        }
        let digests = summary.soups.map(\.digest)
        // End of example
        #expect(digests.count == 1)
        // Example: Sources/OfflineCore/OfflineCore.docc/LookingAfterAStore.md
        for finding in try await store.integrityCheck().findings {
            print(finding.code.rawValue, finding.soup ?? "", finding.count)
        }
        // End of example
        // Example: Sources/OfflineCore/OfflineCore.docc/LookingAfterAStore.md
        let done = try await store.migrate([
            StoreMigration("2026-05 names") { context in
                try context.renamePath("fullName", to: "name", in: "contacts")
                try context.alterSoup("contacts", indexSpecs: [.string("name")])
            }
        ])
        // End of example
        #expect(done.count == 1)
        #expect(try await store.count(.exact(path: "name", matchKey: "Grace"), soup: "contacts") == 1)
        // Example: Sources/OfflineCore/OfflineCore.docc/LookingAfterAStore.md
        try await store.close()
        try await SmartStore.restore(
            from: backupPath, key: nil, to: path, replacing: true, options: StoreOptions(library: library))
        // End of example
        let restored = try await SmartStore.open(path: path, options: StoreOptions(library: library))
        #expect(try await restored.count(.exact(path: "name", matchKey: "Grace"), soup: "contacts") == 0)
    }

    @Test func `the example of a check`() async throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Maintenance/SmartStore+IntegrityCheck.swift
        let report = try await store.integrityCheck()
        let damage = report.findings.map { "\($0.code.rawValue): \($0.count)" }
        // End of example
        #expect(damage == [])
    }

    @Test func `the example of an export`() async throws {
        let store = try examples.contacts()
        let path = examples.folder.file("contacts.jsonl")
        // Example: Sources/OfflineStore/Maintenance/SmartStore+Export.swift
        let count = try await store.exportJSONLines(soup: "contacts", to: path)
        // End of example
        #expect(count == 2)
    }

    @Test func `the example of StoreMigration`() async throws {
        let store = try examples.contacts()
        try await store.upsert([["fullName": "Grace"]], into: "contacts")
        // Example: Sources/OfflineStore/Migration/StoreMigration.swift
        let migrations = [
            StoreMigration("split names") { context in
                try context.rewrite("contacts") { entry in
                    let text = entry.withBytes { String(decoding: $0, as: UTF8.self) }
                    return .replace(Array(text.replacing("\"fullName\"", with: "\"name\"").utf8))
                }
            }
        ]
        let done = try await store.migrate(migrations)
        // End of example
        #expect(done == ["split names"])
        #expect(try await store.count(.exact(path: "name", matchKey: "Grace"), soup: "contacts") == 1)
    }
}
