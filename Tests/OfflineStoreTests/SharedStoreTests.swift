import FoundationEssentials
import Libc
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// What a store does while another process is in the middle of something.
@Suite(.serialized)
struct SharedStoreTests {
    @Test(arguments: BackEnd.allCases)
    func `five processes that make one new store at once all succeed`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let rounds = 12
        await withTaskGroup(of: Void.self) { group in
            for child in 0..<5 {
                group.addTask {
                    let output = [\ExitTest.Result.standardOutputContent]
                    let result = await #expect(processExitsWith: .exitCode(0), observing: output) {
                        [
                            folder = folder.path as String, name = backEnd.rawValue as String, rounds = rounds as Int,
                            child = child as Int
                        ] in
                        OtherProcessTests.finish {
                            for round in 0..<rounds {
                                SharedStoreTests.meet(5, child, folder + "/round-\(round)")
                                let path = folder + "/store-\(round).db"
                                let store = try OtherProcessTests.open(path, name, patience: 300_000)
                                try store.registerSoup("s", indexSpecs: [.string("k")])
                                try store.upsert(["{\"k\":\"\(child)\"}".bytes], into: "s")
                                // In some rounds it is closed while other threads still open it.
                                if round % 2 == 0 {
                                    try store.close()
                                }
                            }
                            return true
                        }
                    }
                    if result?.exitStatus != .exitCode(0) {
                        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
                    }
                }
            }
        }
        for round in 0..<rounds {
            let count = try blocking { () throws -> Int in
                let store = try OtherProcessTests.open(folder.file("store-\(round).db"), backEnd.rawValue)
                return try store.count(.all(), soup: "s")
            }
            #expect(count == 5)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `calls wait until another process has altered the soup`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try blocking { () throws -> SmartStore in
            let store = try setup.open { $0.settings.busyTimeout = 300_000 }
            try store.registerSoup("s", indexSpecs: [.string("k")])
            try store.upsert((0..<3000).map { "{\"k\":\"\($0)\",\"n\":\($0)}".bytes }, into: "s")
            return store
        }
        let isOver = Signal()
        let flag = setup.folder.file("altering")
        async let altering: Void = {
            await #expect(processExitsWith: .exitCode(0)) {
                [path = setup.path as String, name = backEnd.rawValue as String, flag = flag as String] in
                OtherProcessTests.finish {
                    let other = try OtherProcessTests.open(path, name, patience: 300_000)
                    for round in 0..<10 {
                        let spec: IndexSpec = round % 2 == 0 ? .integer("n") : .string("n")
                        try other.alterSoup("s", indexSpecs: [spec, .fullText("k")])
                        FileSignal(flag).raise()
                    }
                    return true
                }
            }
            isOver.raise()
        }()
        try? await Waiting.suspend(unless: { isOver.isRaised }, until: { FileSignal(flag).isRaised })
        var calls = 0
        while !isOver.isRaised {
            calls += 1
            try await OwnThread {
                let count = try store.count(.all(), soup: "s")
                let two = try store.retrieve(ids: [1, 2], from: "s")
                let stored = try store.upsert([#"{"_soupEntryId":1,"k":"0","n":0}"#.bytes], into: "s")
                let text = "select {s:_soup} from {s} where {s:_soupEntryId} = 1"
                let rows = try store.runSmartQuery(.smart(text))
                #expect(try count == 3000 && two.count == 2 && stored.count == 1 && rows.totalEntries == 1)
            }.value()
        }
        await altering
        #expect(calls > 0)
    }

    @Test
    func `an alteration that keeps running is busy after the timeout, with a message about it`() async throws {
        let setup = try StoreFolder(.plain)
        try blocking { try Self.leaveUnfinished(setup) }
        let store = try blocking { () throws -> SmartStore in
            // A store that is opened for reading only resumes nothing, and cannot find out whether the writer's lock is
            // free.
            try setup.open {
                $0.access = .readOnly
                $0.settings.busyTimeout = 300
            }
        }
        try await OwnThread {
            let start = ContinuousClock.now
            let fault = Self.fault { _ = try store.count(.all(), soup: "s") }
            #expect(fault?.code == .busy && fault?.message.contains("waited") == true)
            #expect(fault?.context == [.soup("s")])
            #expect(ContinuousClock.now - start >= .milliseconds(290))
        }.value()
    }

    @Test(arguments: BackEnd.allCases)
    func `an alteration that a dead process left is distinguished from a running one, long before the timeout`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try blocking { () throws -> SmartStore in
            let store = try setup.open { $0.settings.busyTimeout = 600_000 }
            try store.registerSoup("s", indexSpecs: [.string("k")])
            return store
        }
        // The child ends in the middle of its alteration.
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name)
                try other.alterSoup("s", indexSpecs: [.string("n")], reIndexData: true, until: .copyTable)
                return true
            }
        }
        try await OwnThread {
            let start = ContinuousClock.now
            let calls: [() throws -> Void] = [
                { _ = try store.count(.all(), soup: "s") }, { _ = try store.upsert(["{}".bytes], into: "s") },
            ]
            for call in calls {
                let fault = Self.fault(call)
                #expect(fault?.code == .busy && fault?.message.contains("resumeAlterations") == true)
            }
            // Inside a transaction waiting would block the other process.
            let inside = Self.fault { try store.transaction { _ in _ = try store.count(.all(), soup: "s") } }
            #expect(inside?.code == .busy && inside?.message.contains("inside a transaction") == true)
            #expect(ContinuousClock.now - start < .seconds(300))
            try store.resumeAlterations()
            let paths = try store.indexSpecs(ofSoup: "s").map(\.path)
            #expect(paths == ["n"])
        }.value()
    }

    private static func leaveUnfinished(_ setup: StoreFolder) throws {
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.alterSoup("s", indexSpecs: [.string("n")], reIndexData: true, until: .copyTable)
        try store.close()
    }

    private static func fault(_ work: () throws -> Void) -> Fault? {
        do {
            try work()
            return nil
        } catch {
            return error as? Fault
        }
    }

    /// Makes `count` processes continue at the same moment.
    static func meet(_ count: Int, _ number: Int, _ name: String) {
        try? Data().write(to: URL(filePath: "\(name)-\(number)"))
        _ = Waiting.block {
            (0..<count).allSatisfy { FileManager.default.fileExists(atPath: "\(name)-\($0)") }
        }
    }

    /// Calls the blocking forms from asynchronous code.
    private func blocking<R>(_ work: () throws -> R) rethrows -> R { try work() }
}
