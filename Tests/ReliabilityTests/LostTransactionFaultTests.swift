import FaultVFS
import Libc
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// A transaction whose second call meets a failing disk or a lack of memory, and whose work catches the fault and goes
/// on.
@Suite(.serialized)
struct LostTransactionFaultTests {
    static let backEnds: [BackEnd] = [.plain, .cipher]

    @Test(arguments: backEnds, [Child.Fault.errorOnce, .fullOnce])
    func `a failing disk in the middle: all of the transaction is there, or nothing and the first fault`(
        _ backEnd: BackEnd, _ kind: Child.Fault
    ) async throws {
        try backEnd.skipIfMissing()
        await #expect(processExitsWith: .exitCode(0)) {
            [name = backEnd.rawValue as String, kind = kind.rawValue as Int] in
            LostTransactionFaultTests.finish(name) { (library: SQLiteLibrary) in
                guard fault_vfs_install(library.path) == 0 else {
                    return "the library's file system cannot be covered"
                }
                var losses = 0
                for number in [1, 2, 3, 5, 9, 17, 40] {
                    let round = try LostTransactionFaultTests.round(name) {
                        fault_vfs_arm(Int32(kind), number)
                    } disarm: {
                        fault_vfs_arm(0, 0)
                    }
                    if let wrong = round.wrong {
                        return "at \(number): \(wrong)"
                    }
                    losses += round.wasLost ? 1 : 0
                }
                return losses >= 4 ? nil : "only \(losses) faults were met"
            }
        }
    }

    @Test(arguments: backEnds)
    func `no memory in the middle: all of the transaction is there, or nothing and the first fault`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        await #expect(processExitsWith: .exitCode(0)) { [name = backEnd.rawValue as String] in
            LostTransactionFaultTests.finish(name) { (library: SQLiteLibrary) in
                typealias Limit = @convention(c) (Int64) -> Int64
                typealias Used = @convention(c) () -> Int64
                guard let handle = dlopen(library.path, RTLD_NOW | RTLD_LOCAL),
                    let limit = dlsym(handle, "sqlite3_hard_heap_limit64"),
                    let used = dlsym(handle, "sqlite3_memory_used")
                else {
                    return "no limit of the heap in this library"
                }
                let setLimit = unsafeBitCast(limit, to: Limit.self)
                let memoryUsed = unsafeBitCast(used, to: Used.self)
                var losses = 0
                for room in [2_000, 10_000, 30_000, 60_000] as [Int64] {
                    let round = try LostTransactionFaultTests.round(name) {
                        _ = setLimit(memoryUsed() + room)
                    } disarm: {
                        _ = setLimit(0)
                    }
                    if let wrong = round.wrong {
                        return "with \(room) bytes: \(wrong)"
                    }
                    losses += round.wasLost ? 1 : 0
                }
                return losses >= 1 ? nil : "the limit was never met"
            }
        }
    }

    /// One transaction with a fault in its second call. Returns what is wrong with its outcome, or nil.
    static func round(_ name: String, arm: () -> Void, disarm: () -> Void) throws -> (wrong: String?, wasLost: Bool) {
        let backEnd = try #require(BackEnd(rawValue: name))
        let folder = try TemporaryFolder()
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        // So small that pages are written in the middle of a transaction.
        options.settings.cacheSize = 32 << 10
        let store = try SmartStore(path: folder.file("store.db"), options: options)
        try store.registerSoup("s", indexSpecs: [.string("k")])
        let filler = String(repeating: "x", count: 2000)
        let batch = (1...60).map { Array("{\"k\":\"batch \($0)\",\"filler\":\"\(filler)\"}".utf8) }
        var caught: Fault?
        var further: [Fault?] = []
        let thrown = fault {
            try store.transaction { _ in
                _ = try store.upsert([Array(#"{"k":"first"}"#.utf8)], into: "s")
                arm()
                caught = fault { _ = try store.upsert(batch, into: "s") }
                disarm()
                further.append(fault { _ = try store.upsert([Array(#"{"k":"after"}"#.utf8)], into: "s") })
                further.append(fault { _ = try store.count(.all(), soup: "s") })
            }
        }
        let count = try store.count(.all(), soup: "s")
        defer { try? store.close() }
        if thrown != nil {
            let said = "caught \(String(describing: caught)), then \(further), thrown \(String(describing: thrown))"
            guard count == 0 else {
                return ("\(count) entries stay: \(said)", true)
            }
            guard thrown == caught, further.allSatisfy({ $0 == caught }) else {
                return ("not the first fault: \(said)", true)
            }
            _ = try store.upsert([Array("{}".utf8)], into: "s")
            return (nil, true)
        }
        let expected = caught == nil ? 62 : 2
        guard count == expected, further.allSatisfy({ $0 == nil }) else {
            return ("\(count) entries where \(expected) were acknowledged", false)
        }
        return (nil, false)
    }

    static func fault(_ work: () throws -> Void) -> Fault? {
        do {
            try work()
            return nil
        } catch {
            return error as? Fault
        }
    }

    /// Runs a child's work and ends it: with 0 if nothing was wrong.
    static func finish(_ name: String, _ work: (SQLiteLibrary) throws -> String?) -> Never {
        do {
            guard let backEnd = BackEnd(rawValue: name), let wrong = try work(backEnd.library()) else {
                leave(0)
            }
            print(wrong)
            leave(1)
        } catch {
            print(error)
            leave(2)
        }
    }
}
