import Foundation
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Judges what a fault has left: first with bare connections on a copy of the files, then by opening the store for
/// writing.
struct Aftermath {
    let sweep: Sweep
    let folder: String

    /// Says which of the two states it is, or that an alteration was resumed.
    func check(_ what: String, isCut: Bool = true) throws -> String {
        let newKey = try sweep.operation == "rekey" && !opens(newKey: false)
        let status = try lookBefore(what, newKey: newKey)
        let store = try Sweep.open(sweep.backEnd, folder, newKey: newKey)
        defer { try? store.close() }
        let state = try Sweep.state(of: store)
        let isBefore = state == sweep.before
        let isAfter = state == sweep.after
        #expect(isBefore || isAfter, "\(what): neither before nor after\n\(difference(state))")
        #expect(isCut || isAfter, "\(what): it said it was done, and is not")
        // Reopened, nothing is underway and nothing lies about.
        try store.connections.read { (session) throws(Fault) in
            let left = try session.connection.integer("SELECT count(*) FROM long_operations_status")
            let sound = try session.connection.value("PRAGMA integrity_check")
            #expect(left == 0 && sound == .text("ok"), "\(what)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder + "/store.db.rekey"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/store.db.probe"))
        let files = FileSystem.treeSize(ElementFiles.root(ofStore: folder + "/store.db")).files
        #expect(files == (try store.soup("x").storesExternally ? 4 : 0), "\(what): files of entries")
        // It works on.
        try store.upsert([Array("{\"k\":\"later\"}".utf8)], into: "x")
        // A change of the key leaves the entries as they are: which key opens the file is the state.
        if sweep.operation == "rekey" {
            return newKey ? "new key" : "old key"
        }
        return status ?? (isAfter ? "after" : "before")
    }

    private func opens(newKey: Bool) throws -> Bool {
        do {
            let copy = try copied()
            let connection = try Connection(
                path: copy + "/store.db", library: sweep.backEnd.library(), access: .readWrite,
                key: BackEnds.key(newKey ? 8 : 7))
            connection.close()
            return true
        } catch let fault as Fault {
            #expect(fault.code == .wrongKey)
            return false
        }
    }

    private func copied() throws -> String {
        let copy = folder + "-look"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        return copy
    }

    /// Checks status row and tables against each other before anything is resumed. Returns the step that an alteration
    /// has come to.
    private func lookBefore(_ what: String, newKey: Bool) throws -> String? {
        let connection = try Connection(
            path: copied() + "/store.db", library: sweep.backEnd.library(), access: .readWrite,
            key: sweep.backEnd.isKeyed ? BackEnds.key(newKey ? 8 : 7) : nil)
        defer { connection.close() }
        #expect(try connection.value("PRAGMA integrity_check") == .text("ok"), "\(what)")
        let operations = try LongOperation.all(connection)
        guard let operation = operations.first else {
            #expect(
                try connection.integer("SELECT count(*) FROM sqlite_master WHERE name LIKE '%old%'") == 0, "\(what)")
            return nil
        }
        #expect(operations.count == 1)
        let table = operation.details.tableName
        func exists(_ name: String) throws -> Bool {
            try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = ?", .text(name)) == 1
        }
        let started = operation.status != .starting
        let made = operation.status.isAtLeast(.registerSoupUsingTableName)
        #expect(try exists(table) == (!started || made), "\(what)")
        #expect(try exists(operation.details.oldTableName) == started, "\(what)")
        let entries: Int64 = operation.details.soupName == "s" ? 40 : 4
        #expect(
            try connection.integer("SELECT count(*) FROM \(started ? operation.details.oldTableName : table)")
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
