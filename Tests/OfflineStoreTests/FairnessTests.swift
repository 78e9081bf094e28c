import JSONText
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// First come, first served.
@Suite(.serialized)
struct FairnessTests {
    @Test
    func `1,000 writers, some blocked and some awaiting, write in the order in which they came`() async throws {
        let store = try StoreFolder(.plain).open { $0.settings.durability = .relaxed }
        try await store.registerSoup("s", indexSpecs: [.integer("n")])
        let over = Signal()
        let isHeld = Signal()
        let holder = OwnThread {
            try store.transaction { _ in
                isHeld.raise()
                over.block()
            }
        }
        try await holder.reaches(isHeld)
        var threads: [OwnThread<Void>] = []
        var tasks: [Task<Void, any Error>] = []
        for n in 0..<1000 {
            let entry = "{\"n\":\(n)}".bytes
            if n % 10 == 3 {
                threads.append(OwnThread { _ = try store.upsert([entry], into: "s") })
            } else {
                tasks.append(Task { _ = try await store.upsert([entry], into: "s") })
            }
            try await Waiting.suspend { store.connections.gate.waitingCount(.writing) > n }
        }
        over.raise()
        for task in tasks {
            try await task.value
        }
        for thread in threads {
            try await thread.value()
        }
        try await holder.value()
        let rows = try await store.query(.all(pageSize: 2000, selectPaths: ["n"]), soup: "s").currentPage.rows
        #expect(rows == (0..<1000).map { [.value(.integer($0))] })
    }

    @Test
    func `readers are admitted in the order in which they came, never more than the store allows`() async throws {
        let order = Order()
        let gate = StoreGate(maximumReaders: 1)
        let over = Signal()
        let isHeld = Signal()
        let holder = OwnThread {
            _ = gate.enterReading { _ in }
            isHeld.raise()
            over.block()
            gate.leaveReading {}
        }
        try await holder.reaches(isHeld)
        var threads: [OwnThread<Void>] = []
        for n in 0..<60 {
            if n % 2 == 0 {
                threads.append(
                    OwnThread {
                        _ = gate.enterReading { _ in }
                        order.append(n)
                        gate.leaveReading {}
                    })
            } else {
                let cancellation = Cancellation()
                let call = GateTicket.Call(cancellation: cancellation) { _ in
                    BlockingThreads.shared.run { gate.run(cancellation, for: .reading) { order.append(n) } }
                }
                gate.submit(call, for: .reading)
            }
            try await Waiting.suspend { gate.waitingCount(.reading) > n }
        }
        over.raise()
        try await holder.value()
        for thread in threads {
            try await thread.value()
        }
        try await Waiting.suspend { order.values.count == 60 }
        #expect(order.values == Array(0..<60))
    }

    @Test
    func `a close among 16 busy readers waits for the calls under way and for no other`() async throws {
        let store = try StoreFolder(.plain).open { $0.smartQueryTime = .milliseconds(40) }
        let endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c where x < 0"
        let before = Atomic(0)
        let closingBegan = Signal()
        let afterwards = Atomic(0)
        // If readers were let in before the close, it would wait for ever: then this many end it.
        let many = 1_000
        let readers = (0..<16).map { _ in
            OwnThread {
                while afterwards.load(ordering: .relaxed) < many {
                    let code = faultCode { _ = try store.runSmartQuery(.smart(endless)) }
                    if code == .closed {
                        return
                    }
                    #expect(code == .limitExceeded)
                    if closingBegan.isRaised {
                        afterwards.add(1, ordering: .relaxed)
                    } else {
                        before.add(1, ordering: .relaxed)
                    }
                }
            }
        }
        try await Waiting.suspend { before.load(ordering: .relaxed) >= 32 }
        let closing = OwnThread {
            closingBegan.raise()
            try store.close()
        }
        try await closing.value()
        for reader in readers {
            try await reader.value()
        }
        // The calls under way are 4 on a quiet machine; a few more end before the close has come so far.
        let count = afterwards.load(ordering: .relaxed)
        #expect(count < many / 2, "\(count)")
    }

    /// It would wait for the other call, and the other call for it.
    @Test(arguments: [false, true])
    func `a reading call that writes comes before a call that needs the store alone`(_ isAlteration: Bool) async throws
    {
        let store = try StoreFolder(.plain).open()
        try await store.registerSoup("s", indexSpecs: [.string("k")])
        let isReading = Signal()
        let reader = OwnThread {
            try store.read { _ in
                isReading.raise()
                _ = Waiting.block { store.connections.gate.keepsReadersOut }
                try store.upsert([#"{"k":"inside"}"#.bytes], into: "s")
            }
        }
        try await reader.reaches(isReading)
        let other = OwnThread {
            if isAlteration {
                try store.alterSoup("s", indexSpecs: [.integer("k")])
            } else {
                try store.reopen()
            }
        }
        try await reader.value()
        try await other.value()
        #expect(try await store.count(.all(), soup: "s") == 1)
        try await store.upsert([#"{"k":"after"}"#.bytes], into: "s")
    }

    @Test
    func `an alteration inside a transaction is busy while a reading call waits to write`() async throws {
        let store = try StoreFolder(.plain).open()
        try await store.registerSoup("s", indexSpecs: [.string("k")])
        let hasBegun = Signal()
        let altering = OwnThread {
            try store.transaction { _ in
                hasBegun.raise()
                _ = Waiting.block { store.connections.gate.waitingCount(.writing) == 1 }
                return faultCode { try store.alterSoup("s", indexSpecs: [.integer("k")]) }
            }
        }
        try await altering.reaches(hasBegun)
        let reader = OwnThread {
            try store.read { _ in _ = try store.upsert([#"{"k":"inside"}"#.bytes], into: "s") }
        }
        #expect(try await altering.value() == .busy)
        try await reader.value()
        #expect(try await store.count(.exact(path: "k", matchKey: "inside"), soup: "s") == 1)
    }

    @Test
    func `a reader that waits for the store to be free again is admitted when the alteration ends`() async throws {
        let store = try StoreFolder(.plain).open()
        try await store.registerSoup("s", indexSpecs: [.string("k")])
        try await store.upsert((0..<50).map { "{\"k\":\"\($0)\"}".bytes }, into: "s")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<30 {
                let spec: IndexSpec = round % 2 == 0 ? .integer("k") : .string("k")
                group.addTask { _ = try await store.alterSoup("s", indexSpecs: [spec]) }
                group.addTask {
                    let count = try await store.count(.all(), soup: "s")
                    #expect(count == 50)
                }
                group.addTask { _ = try await store.upsert([#"{"_soupEntryId":1,"k":"1"}"#.bytes], into: "s") }
            }
            try await group.waitForAll()
        }
    }
}

private final class Order: Sendable {
    private let state = Mutex<[Int]>([])
    var values: [Int] { state.withLock { $0 } }
    func append(_ n: Int) { state.withLock { $0.append(n) } }
}
