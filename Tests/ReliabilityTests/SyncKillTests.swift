import Foundation
import JSONText
import LocalChanges
import MockService
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import FaultChild
@testable import OfflineStore
@testable import OfflineSync

/// Syncs down that are killed (SIGKILL) at each change of a file and at each request in turn.
///
/// `swift test` tries a few changes and all requests; `ci/kill-sweep` tries all of both.
@Suite(.serialized)
struct SyncKillTests {
    static let cases = [BackEnd.plain, .cipher].flatMap { backEnd in SyncTask.allCases.map { (backEnd, $0) } }

    @Test(arguments: cases)
    func `what was saved stays, no change is lost, and the next run ends as one that was never cut`(
        _ backEnd: BackEnd, _ task: SyncTask
    ) async throws {
        guard try Sweep.isWanted(task.rawValue, on: backEnd) else { return }
        try await OwnThreadExecutor.run { try Self.sweep(backEnd, task) }
    }

    private static func sweep(_ backEnd: BackEnd, _ task: SyncTask) throws {
        let sweep = try SyncSweep(backEnd, task)
        var kept: [Int: Int] = [:]
        var tried = 0
        for number in Sweep.points(6, of: sweep.changes) {
            kept[try sweep.kill(at: number, Child.Fault.kill.rawValue), default: 0] += 1
            tried += 1
        }
        for moment in KillingTransport.Moment.allCases {
            for number in 1...sweep.requests {
                kept[try sweep.kill(at: number, Int(moment.rawValue)), default: 0] += 1
                tried += 1
            }
        }
        // A sweep that never cuts between pages shows nothing. One part of a sweep may have no such cut.
        #expect(Sweep.isInParts || kept.count >= (task == .syncGhosts ? 2 : 3), "\(kept)")
        print(
            "sync kills: \(backEnd.rawValue) \(task): \(tried) kills, \(sweep.changes) changes and \(sweep.requests) requests; rows found to kills: \(kept.sorted { $0.key < $1.key })"
        )
    }
}

/// One sync, and what is found after it was cut.
struct SyncSweep {
    let backEnd: BackEnd
    let task: SyncTask
    let folder: TemporaryFolder
    /// The rows before, and after a run that was not cut.
    let before: Rows
    let after: Rows
    /// The number of changes of files, and of requests, of such a run.
    let changes: Int
    let requests: Int

    init(_ backEnd: BackEnd, _ task: SyncTask) throws {
        self.backEnd = backEnd
        self.task = task
        folder = try TemporaryFolder()
        let template = folder.file("template")
        try FileManager.default.createDirectory(atPath: template, withIntermediateDirectories: true)
        let store = try Self.open(backEnd, template)
        try task.prepare(store)
        before = try Rows(store)
        try store.close()
        let whole = folder.file("whole")
        try FileManager.default.copyItem(atPath: template, toPath: whole)
        let child = try Child(backEnd, whole + "/store.db", task.rawValue, kind: 0, at: 0)
        let words = child.ending.split(separator: " ")
        try #require(words.count == 2 && words[0] == "done", "the sync itself fails: \(child.ending)")
        changes = child.count
        requests = Int(words[1]) ?? 0
        let done = try Self.open(backEnd, whole)
        after = try Rows(done)
        try done.close()
    }

    private static func open(_ backEnd: BackEnd, _ folder: String) throws -> SmartStore {
        try Sweep.open(backEnd, folder, key: backEnd.isKeyed ? 7 : nil)
    }

    /// Kills the sync, and looks at what is left. Returns the number of clean rows that were found.
    func kill(at number: Int, _ kind: Int) throws -> Int {
        let what = "\(task), \(kind) at \(number)"
        let path = folder.file("cut")
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: folder.file("template"), toPath: path)
        let child = try Child(backEnd, path + "/store.db", task.rawValue, kind: kind, at: number)
        #expect(child.wasKilled, "\(what): \(child.ending)")
        let store = try Self.open(backEnd, path)
        defer { try? store.close() }
        try store.connections.read { (session) throws(Fault) in
            let sound = try session.connection.value("PRAGMA integrity_check")
            #expect(sound == .text("ok"), "\(what)")
        }
        let found = try Rows(store)
        #expect(found.dirty == before.dirty, "\(what): a local change is lost")
        #expect(found.clean.isSubset(of: before.clean.union(after.clean)), "\(what): rows of neither state")
        let service = try SyncTask.service()
        let manager = try SyncManager(store: store, transport: service.transport)
        let state = try SyncTask.waiting { try await manager.status(of: "down") }
        #expect(state?.status != .running, "\(what)")
        if task != .syncGhosts {
            try checkStamp(state?.maxTimeStamp ?? -1, found, service, what)
        }
        try SyncTask.waiting { await manager.close() }
        #expect(try task.run(store, service.transport) == "done" || task == .syncGhosts, "\(what)")
        #expect(try Rows(store) == after, "\(what): another end than without the cut")
        return found.clean.count
    }

    /// Whether the soup has every record up to the stamp, or a local change of it.
    private func checkStamp(_ stamp: Int64, _ rows: Rows, _ service: MockService, _ what: String) throws {
        for record in service.records(of: "Account") {
            let id = try #require(record["Id"]?.string)
            let date = try #require(record["LastModifiedDate"]?.string.flatMap(ServiceDate.milliseconds))
            if date <= stamp, !rows.ids.contains(id) {
                // The tree with the dirty child is left as a whole.
                #expect(task == .syncTrees && !after.ids.contains(id), "\(what): the stamp has passed \(id)")
            }
        }
    }
}

/// The rows of all soups of a sync, without what the store adds.
struct Rows: Equatable {
    private(set) var clean: Set<String> = []
    private(set) var dirty: Set<String> = []
    private(set) var ids: Set<String> = []

    init(_ store: SmartStore) throws {
        for soup in SyncTask.soups {
            for entry in try store.query(.all(pageSize: 1_000), soup: soup).currentPage.entries {
                let row = try JSONValue(parsing: Array(entry))
                let text = String(decoding: entry, as: UTF8.self).replacing(#/"_soup[A-Za-z]+":[0-9]+/#, with: "")
                if row["__local__"]?.bool == true {
                    dirty.insert(soup + text)
                } else {
                    clean.insert(soup + text)
                }
                ids.insert(row["Id"]?.string ?? "")
            }
        }
    }
}
