import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// What holds after every cut of a sync up.
struct UpInvariants {
    let world: CutWorld

    /// Checks a store that was opened again after a cut.
    func check(_ manager: SyncManager, _ comment: Comment) async throws {
        for (type, names) in CutWorld.soups {
            let (rows, records) = (try world.rows(names.soup), world.mock.records(of: type))
            func name(_ object: JSONObject) -> String { object[names.field]?.string ?? "" }
            let onService = records.map(name)
            let changed = rows.filter { LocalFlags(of: $0).isDirty }.map(name)
            // INV-1: what was changed is on the service, or still to be sent.
            for wanted in world.expected[type] ?? [] where wanted.contains(" ") {
                #expect(onService.contains(wanted) || changed.contains(wanted), "INV-1 \(wanted) \(comment)")
            }
            // INV-3: nothing was created twice.
            for wanted in world.created[type] ?? [] {
                #expect(onService.count { $0 == wanted } <= 1, "INV-3 \(wanted) \(comment)")
            }
            // INV-4: a clean row is what the service has.
            for row in rows where !LocalFlags(of: row).isDirty {
                let record = records.first { $0["Id"]?.string == row["Id"]?.string }
                #expect(record.map(name) == name(row), "INV-4 \(name(row)) \(comment)")
            }
        }
        // INV-5: no sync is said to run.
        #expect(try await manager.syncs(with: .running).isEmpty, "INV-5 \(comment)")
        // INV-6: the file is sound.
        let connection = try world.backEnd.connect(world.place.folder.file("store.db"))
        defer { connection.close() }
        #expect(try connection.value("PRAGMA integrity_check") == .text("ok"), "INV-6 \(comment)")
    }

    /// Checks that both sides have what a run without a cut ends with.
    func checkEnd(_ comment: Comment) throws {
        for (type, names) in CutWorld.soups {
            let records = world.mock.records(of: type)
            let rows = try world.rows(names.soup)
            #expect(records.compactMap { $0[names.field]?.string }.sorted() == world.expected[type], comment)
            #expect(rows.compactMap { $0[names.field]?.string }.sorted() == world.expected[type], comment)
            #expect(
                rows.compactMap { $0["Id"]?.string }.sorted() == records.compactMap { $0["Id"]?.string }.sorted(),
                comment)
            #expect(rows.allSatisfy { !LocalFlags(of: $0).isDirty }, comment)
        }
    }
}
