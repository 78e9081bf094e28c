import Foundation
import JSONText
import LocalChanges
import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups
import SyncInvariants
import TestSupport
import Testing

@testable import FaultChild

/// Syncs up that are killed (SIGKILL) at each change of a file and at each request in turn.
///
/// `swift test` tries a few of both; `ci/kill-sweep` tries all.
@Suite(.serialized)
struct UpKillTests {
    static let cases = [BackEnd.plain, .cipher].flatMap { backEnd in UpTask.allCases.map { (backEnd, $0) } }

    @Test(arguments: cases)
    func `no change is lost and nothing is created twice, and the next runs end as one that was never cut`(
        _ backEnd: BackEnd, _ task: UpTask
    ) async throws {
        guard try Sweep.isWanted(task.rawValue, on: backEnd) else { return }
        try await OwnThreadExecutor.run { try Self.sweep(backEnd, task) }
    }

    private static func sweep(_ backEnd: BackEnd, _ task: UpTask) throws {
        let sweep = try UpSweep(backEnd, task)
        var tried = 0
        var ends: [String: Int] = [:]
        func kill(_ number: Int, _ kind: Int) throws {
            let (sent, held) = try sweep.kill(at: number, kind)
            ends["\(sent) sent, \(held) held", default: 0] += 1
            tried += 1
        }
        for number in Sweep.points(3, of: sweep.changes) {
            try kill(number, Child.Fault.kill.rawValue)
        }
        for moment in KillingTransport.Moment.allCases {
            for number in Sweep.points(2, of: sweep.requests) {
                try kill(number, Int(moment.rawValue))
            }
        }
        // A sweep that never cuts between calls shows nothing. One part of a sweep may have no such cut.
        #expect(Sweep.isInParts || ends.count >= 2, "\(ends)")
        print(
            "sync kills: \(backEnd.rawValue) \(task): \(tried) kills, \(sweep.changes) changes and \(sweep.requests) requests; \(ends.sorted { $0.key < $1.key })"
        )
    }
}

/// One sync up, and what is found after it was cut.
struct UpSweep {
    let backEnd: BackEnd
    let task: UpTask
    let folder: TemporaryFolder
    /// The number of changes of files, and of requests, of a run that is not cut.
    let changes: Int
    let requests: Int
    private let work: [LocalWork]
    /// The records that a sync down had brought.
    private let delivered: [String: Set<String>]

    init(_ backEnd: BackEnd, _ task: UpTask) throws {
        self.backEnd = backEnd
        self.task = task
        folder = try TemporaryFolder()
        let template = folder.file("template")
        try FileManager.default.createDirectory(atPath: template, withIntermediateDirectories: true)
        let store = try Self.open(backEnd, template)
        try task.prepare(store)
        let service = try UpTask.service("")
        var work = [LocalWork(soup: "accounts", type: "Account", field: "Name")]
        if task.isTree {
            work.append(LocalWork(soup: "contacts", type: "Contact", field: "LastName"))
        }
        delivered = SyncInvariants(store, service, work).serviceIds()
        for index in work.indices {
            let ids = service.records(of: work[index].type).compactMap { $0["Id"]?.string }
            work[index].created = Set(UpTask.created)
            work[index].updated = Dictionary(uniqueKeysWithValues: UpTask.updated.map { (ids[$0.key], $0.value) })
            work[index].deleted = task.isTree && index == 0 ? [] : Set(UpTask.deleted.map { ids[$0] })
        }
        self.work = work
        try store.close()
        let whole = folder.file("whole")
        try FileManager.default.copyItem(atPath: template, toPath: whole)
        let child = try Child(backEnd, whole + "/store.db", task.rawValue, kind: 0, at: 0)
        let words = child.ending.split(separator: " ")
        try #require(words.count == 2 && words[0] == "done", "the sync itself fails: \(child.ending)")
        changes = child.count
        requests = Int(words[1]) ?? 0
    }

    private static func open(_ backEnd: BackEnd, _ folder: String) throws -> SmartStore {
        try Sweep.open(backEnd, folder, key: backEnd.isKeyed ? 7 : nil)
    }

    /// Kills the sync, looks at what is left, and lets it come to its end. Returns how many requests the service had
    /// got, and how many rows were held afterwards.
    func kill(at number: Int, _ kind: Int) throws -> (sent: Int, held: Int) {
        let what: Comment = "\(task), \(kind) at \(number)"
        let path = folder.file("cut")
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: folder.file("template"), toPath: path)
        let child = try Child(backEnd, path + "/store.db", task.rawValue, kind: kind, at: number)
        #expect(child.wasKilled, "\(what): \(child.ending)")
        let journal = UpTask.journal(path + "/store.db")
        let sent = try RequestJournal.requests(in: journal).count
        let service = try UpTask.service(journal)
        let store = try Self.open(backEnd, path)
        defer { try? store.close() }
        let invariants = SyncInvariants(store, service, work)
        invariants.noteDelivery(delivered)
        let manager = try SyncManager(store: store, transport: service.transport)
        let (work, names) = (work, names)
        let (held, found) = try SyncTask.waiting { () -> (Int, [String]) in
            var found = try await invariants.findings(manager)
            var held = 0
            for _ in 0..<3 {
                try await manager.reSync("up").requireDone()
                found += try await invariants.findings(manager)
                held += try await Self.decide(work, manager, service)
            }
            found += try await invariants.findingsAtEnd(manager, names: names)
            await manager.close()
            return (held, found)
        }
        #expect(found.isEmpty, "\(what): \(found)")
        return (sent, held)
    }

    /// Decides what is in doubt, as somebody does who looks at the service.
    private static func decide(
        _ work: [LocalWork], _ manager: SyncManager, _ service: MockService
    ) async throws -> Int {
        var count = 0
        for work in work {
            for doubt in try await manager.pendingDoubts(inSoup: work.soup) {
                let name = doubt.sent[work.field]
                let record = service.records(of: work.type).first { $0[work.field] == name }
                let decision = record?["Id"]?.string.map { Doubt.wasCreated(id: $0) } ?? .wasNotCreated
                try await manager.resolveDoubt(decision, soup: work.soup, entryId: doubt.entryId)
                count += 1
            }
        }
        return count
    }

    /// The names that the service has in the end.
    private var names: [String: [String]] {
        var names: [String: [String]] = [:]
        for work in work {
            let word = work.soup == "accounts" ? "account" : "contact"
            let isDeleted = { (number: Int) in !work.deleted.isEmpty && UpTask.deleted.contains(number) }
            let kept = (0..<UpTask.accounts).filter { !isDeleted($0) }
            names[work.soup] = kept.map { UpTask.updated[$0] ?? "\(word) \($0)" } + UpTask.created
        }
        return names
    }
}
