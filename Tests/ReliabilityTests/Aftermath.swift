import Foundation
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import FaultChild
@testable import OfflineStore

/// Judges what a fault has left: first with direct connections to a copy of the files, then by opening the store for
/// writing.
struct Aftermath {
    let sweep: Sweep
    let folder: String

    /// Returns which of the two states it is, or that an alteration was resumed.
    func check(_ what: String, isCut: Bool = true) throws -> String {
        let task = sweep.operation
        let isNewKey = try task.changesKey && !opens(task.keySeed(sweep.backEnd))
        let key = task.keySeed(sweep.backEnd, after: isNewKey)
        let status = try lookBefore(what, key)
        let store = try Sweep.open(sweep.backEnd, folder, key: key)
        defer { try? store.close() }
        let progress = try goOn(store, what)
        let state = try Sweep.state(of: store)
        let isBefore = state == sweep.before
        let isAfter = state == sweep.after
        #expect(isBefore || isAfter, "\(what): neither before nor after\n\(difference(state))")
        #expect(isCut || isAfter, "\(what): it said it was done, and is not")
        // After reopening, no operation is unfinished and no file is left over.
        try store.connections.read { (session) throws(Fault) in
            let left = try session.connection.integer("SELECT count(*) FROM long_operations_status")
            let sound = try session.connection.value("PRAGMA integrity_check")
            #expect(left == 0 && sound == .text("ok"), "\(what)")
        }
        let allowed = [
            "store.db", "store.db-wal", "store.db-shm", "store.db_external_soup_blobs", "store.db.jsonl",
            "store.db.copy", "store.db.copy_external_soup_blobs",
        ]
        let others = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !allowed.contains($0) }
        #expect(others.isEmpty, "\(what): \(others) left over")
        let external = try store.allSoupNames().filter { try store.soup($0).storesExternally }
        let entries = try external.reduce(0) { $0 + (try store.count(.all(), soup: $1)) }
        let files = Folder.size(below: ElementFiles.root(ofStore: folder + "/store.db")).files
        #expect(files == entries, "\(what): files of entries")
        // The store can be used.
        for name in try store.allSoupNames() {
            try store.upsert([Array("{\"k\":\"later\"}".utf8)], into: name)
            let read = try store.query(.all(pageSize: 1000), soup: name).currentPage.entries.count
            #expect(try store.count(.all(), soup: name) == read)
        }
        // A change of key does not change the entries: the state is which key opens the file.
        if task.changesKey {
            #expect(isCut || isNewKey, "\(what): it said it was done, and the old key opens the store")
            return isNewKey ? "new key" : "old key"
        }
        return progress ?? status ?? (isAfter ? "after" : "before")
    }

    /// Does what an app does next where an operation was cut that does not end with the next opening. Returns how far
    /// it had come.
    private func goOn(_ store: SmartStore, _ what: String) throws -> String? {
        let copy = StoreTask.copy(ofStore: store.path)
        switch sweep.operation {
        case .backup:
            // A copy that has its name is whole; anything else goes when it is made again.
            let isThere = FileManager.default.fileExists(atPath: copy)
            if !isThere {
                _ = try store.backupNow(to: copy)
            }
            let opened = try SmartStore(path: copy, options: store.connections.options)
            #expect(try Sweep.state(of: opened) == sweep.before, "\(what): the copy")
            #expect(try opened.integrityCheckNow().isSound, "\(what): the copy")
            try opened.close()
            return isThere ? "copy" : "no copy"
        case .migrate:
            let left = try store.migrateNow(StoreTask.migrations)
            return "\(left.count) migrations left"
        default: return nil
        }
    }

    private func opens(_ seed: UInt8?) throws -> Bool {
        do {
            let copy = try copied()
            let connection = try Connection(
                path: copy + "/store.db", library: sweep.backEnd.library(), access: .readWrite,
                key: seed.map { try BackEnds.key($0) })
            connection.close()
            return true
        } catch let fault as Fault {
            #expect([.wrongKey, .keyMissing, .notEncrypted].contains(fault.code), "\(fault)")
            return false
        }
    }

    private func copied() throws -> String {
        let copy = folder + "-look"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        return copy
    }

    /// Checks status row and tables against each other before anything is resumed. Returns the last step of the
    /// alteration.
    private func lookBefore(_ what: String, _ seed: UInt8?) throws -> String? {
        let connection = try Connection(
            path: copied() + "/store.db", library: sweep.backEnd.library(), access: .readWrite,
            key: seed.map { try BackEnds.key($0) })
        defer { connection.close() }
        #expect(try connection.value("PRAGMA integrity_check") == .text("ok"), "\(what)")
        let operations = try LongOperation.all(connection)
        guard let operation = operations.first else {
            #expect(
                try connection.integer("SELECT count(*) FROM sqlite_master WHERE name LIKE '%old%'") == 0, "\(what)")
            return nil
        }
        #expect(operations.count == 1)
        let table = operation.details.table
        func exists(_ name: String) throws -> Bool {
            try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = ?", .text(name)) == 1
        }
        let started = operation.status != .starting
        let made = operation.status.isAtLeast(.registerSoupUsingTableName)
        #expect(try exists(table.description) == (!started || made), "\(what)")
        #expect(try exists(table.old) == started, "\(what)")
        let entries: Int64 = operation.details.soupName == "s" ? 40 : 4
        #expect(
            try connection.integer("SELECT count(*) FROM \(started ? table.old : table.description)")
                == entries, "\(what)")
        if made {
            let copied: Int64 = operation.status.isAtLeast(.copyTable) ? entries : 0
            #expect(try connection.integer("SELECT count(*) FROM \(table)") == copied, "\(what)")
        }
        return operation.status.rawValue
    }

    private func difference(_ state: [String]) -> String {
        let unknown = state.filter { !sweep.before.contains($0) && !sweep.after.contains($0) }
        return unknown.prefix(3).joined(separator: "\n")
    }
}
