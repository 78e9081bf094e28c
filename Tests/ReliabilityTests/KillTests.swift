import Foundation
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import FaultChild

/// Every operation of a store, killed (SIGKILL, in the middle of a write) at each change of a file in turn.
///
/// `swift test` tries four changes of each operation; `ci/kill-sweep` tries all of them, and a second kill while the
/// store recovers from the first.
@Suite(.serialized)
struct KillTests {
    static let backEnds: [BackEnd] = [.plain, .cipher]

    static let cases = StoreTask.allCases.flatMap { operation in operation.backEnds.map { ($0, operation) } }

    @Test(arguments: cases)
    func `the store is as it was before, or as it is after; an alteration goes on`(
        _ backEnd: BackEnd, _ operation: StoreTask
    ) throws {
        guard try Sweep.isWanted(operation.rawValue, on: backEnd) else { return }
        let sweep = try Sweep(backEnd, operation)
        var outcomes: [String: Int] = [:]
        for number in sweep.points() {
            let folder = try sweep.copy("killed")
            let child = try Child(backEnd, folder + "/store.db", operation.rawValue, .kill, at: number)
            #expect(child.wasKilled, "\(operation) at \(number): \(child.ending)")
            let found = try Aftermath(sweep: sweep, folder: folder).check(
                "\(operation) killed at \(number) of \(sweep.count)")
            outcomes[found, default: 0] += 1
            guard Sweep.isWhole else { continue }
            // Once more, and killed again while the next opening recovers.
            let again = try sweep.copy("again")
            _ = try Child(backEnd, again + "/store.db", operation.rawValue, .kill, at: number)
            for second in [1, 2, 5, 11, 23] {
                _ = try Child(backEnd, again + "/store.db", "open", .kill, at: second)
            }
            _ = try Aftermath(sweep: sweep, folder: again).check("\(operation) killed at \(number) and again")
        }
        print(
            "kill sweep: \(backEnd.rawValue) \(operation): \(sweep.points().count) of \(sweep.count) changes, \(outcomes.sorted { $0.key < $1.key })"
        )
    }

    @Test(arguments: backEnds, [StoreTask.upsert, .alterSoup, .removeByQuery, .registerSoup])
    func `a full disk or a failing one: a typed fault, nothing half done, and the store usable or closed`(
        _ backEnd: BackEnd, _ operation: StoreTask
    ) throws {
        guard try Sweep.isWanted(operation.rawValue, on: backEnd) else { return }
        let sweep = try Sweep(backEnd, operation)
        var endings: [String: Int] = [:]
        for fault in [Child.Fault.fullOnce, .errorOnce, .fullForGood, .errorForGood] {
            for number in sweep.points(2) {
                let folder = try sweep.copy("failing")
                let child = try Child(backEnd, folder + "/store.db", operation.rawValue, fault, at: number)
                // A checkpoint that fails after the commit is not reported: the call has succeeded.
                let expected =
                    fault == .fullOnce || fault == .fullForGood
                    ? ["done", "diskFull", "inputOutput"] : ["done", "inputOutput"]
                endings[child.ending, default: 0] += 1
                #expect(expected.contains(child.ending), "\(operation), \(fault) at \(number): \(child.ending)")
                _ = try Aftermath(sweep: sweep, folder: folder).check(
                    "\(operation), \(fault) at \(number)", isCut: child.ending != "done")
            }
        }
        print(
            "disk faults: \(backEnd.rawValue) \(operation): \(sweep.points(2).count) of \(sweep.count) changes by 4 faults, \(endings.sorted { $0.key < $1.key })"
        )
    }
}
