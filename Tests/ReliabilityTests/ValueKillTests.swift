import Foundation
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import FaultChild

/// Every writing call of a key-value store, killed (SIGKILL) at each change of a file in turn, and with a disk that
/// fails there: each key has its old value or its new one.
///
/// `swift test` tries a few changes of each; `ci/kill-sweep` tries all of them.
@Suite(.serialized)
struct ValueKillTests {
    static let cases = [BackEnd.plain, .cipher].flatMap { backEnd in
        ValueTask.allCases.filter { !$0.changesKey || backEnd == .cipher }.map { (backEnd, $0) }
    }

    @Test(arguments: cases)
    func `values are as they were before, or as they are after`(_ backEnd: BackEnd, _ task: ValueTask) throws {
        guard try Sweep.isWanted(task.rawValue, on: backEnd) else { return }
        let sweep = try ValueSweep(backEnd, task)
        var found: [String: Int] = [:]
        let points = Sweep.points(4, of: sweep.count)
        for number in points {
            for fault in [Child.Fault.kill, .fullOnce, .errorOnce] {
                found["\(fault): \(try sweep.judge(fault, at: number))", default: 0] += 1
            }
        }
        print(
            "value kills: \(backEnd.rawValue) \(task): \(points.count) of \(sweep.count) changes by 3 faults, \(found.sorted { $0.key < $1.key })"
        )
    }
}

/// One call, and what is found after it was cut.
struct ValueSweep {
    let backEnd: BackEnd
    let task: ValueTask
    let folder: TemporaryFolder
    let before: [String]
    let after: [String]
    /// The number of changes of files in the whole call.
    let count: Int

    init(_ backEnd: BackEnd, _ task: ValueTask) throws {
        self.backEnd = backEnd
        self.task = task
        folder = try TemporaryFolder()
        let template = folder.file("template")
        try FileManager.default.createDirectory(atPath: template, withIntermediateDirectories: true)
        let values = try Self.open(backEnd, template, key: 7)
        try ValueTask.prepare(values)
        before = try ValueTask.state(of: values)
        try values.close()
        let whole = folder.file("whole")
        try FileManager.default.copyItem(atPath: template, toPath: whole)
        let child = try Child(backEnd, whole + "/values.db", task.rawValue, .none, at: 0)
        try #require(child.ending == "done", "the call itself fails: \(child.ending)")
        count = child.count
        let done = try Self.open(backEnd, whole, key: task.changesKey ? 8 : 7)
        after = try ValueTask.state(of: done)
        try done.close()
        try #require(task.changesKey || before != after)
    }

    private static func open(_ backEnd: BackEnd, _ folder: String, key: UInt8) throws -> KeyValueStore {
        let options = StoreOptions(
            library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key(key) : nil)
        return try KeyValueStore(path: folder + "/values.db", options: options)
    }

    /// Cuts the call, and returns which of the two states is left.
    func judge(_ fault: Child.Fault, at number: Int) throws -> String {
        let what = "\(task), \(fault) at \(number) of \(count)"
        let path = folder.file("cut")
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: folder.file("template"), toPath: path)
        let child = try Child(backEnd, path + "/values.db", task.rawValue, fault, at: number)
        #expect(child.wasKilled == (fault == .kill), "\(what): \(child.ending)")
        #expect(["killed", "done", "diskFull", "inputOutput"].contains(child.ending), "\(what): \(child.ending)")
        var isNewKey = false
        let values: KeyValueStore
        do {
            values = try Self.open(backEnd, path, key: 7)
        } catch let fault as Fault where fault.code == .wrongKey && task.changesKey {
            isNewKey = true
            values = try Self.open(backEnd, path, key: 8)
        }
        let state = try ValueTask.state(of: values)
        #expect(state == before || state == after, "\(what): neither before nor after: \(state)")
        #expect(child.ending != "done" || (task.changesKey ? isNewKey : state == after), "\(what): it said it was done")
        // It can be used, and no piece and no file is left over.
        try values.set("later", for: "short 1")
        #expect(try values.string(for: "short 1") == "later")
        try values.removeAll()
        try values.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["values.db"], "\(what)")
        return isNewKey || (!task.changesKey && state == after) ? "after" : "before"
    }
}
