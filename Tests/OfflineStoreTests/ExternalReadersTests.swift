import Dispatch
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Reading external entries while another thread, or another process, changes them gives the old version or the new
/// one, never a fault.
@Suite("Readers of external entries", .serialized)
struct ExternalReadersTests {
    static let entries = 20

    /// The entry of an id at one round: all entries of a round are written in one transaction.
    static func entry(_ id: Int, _ round: Int) -> [UInt8] {
        let filler = String(repeating: "x", count: 400)
        return "{\"_soupEntryId\":\(id),\"round\":\(round),\"k\":\"key\",\"filler\":\"\(filler)\"}".bytes
    }

    private func place(_ backEnd: BackEnd) async throws -> (StoreFolder, SmartStore) {
        let place = try StoreFolder(backEnd)
        let store = try await Threads.run {
            let store = try place.open {
                $0.clock = .system
                $0.settings.durability = .relaxed
                $0.settings.busyTimeout = 30_000
            }
            let spec = SoupSpec(name: "e", features: [.externalStorage])
            try store.registerSoup(spec, indexSpecs: [.string("k"), .integer("round")])
            try store.upsert((1...Self.entries).map { Self.entry($0, 0) }, into: "e")
            return store
        }
        return (place, store)
    }

    private static func round(_ entry: some Sequence<UInt8>) -> Int {
        let text = String(decoding: Array(entry), as: UTF8.self)
        let members = text.dropFirst().split(separator: ",")
        return members.first { $0.hasPrefix("\"round\":") }.flatMap { Int($0.dropFirst(8)) } ?? -1
    }

    /// Reads in every way and returns the number of entries read. Everything that one call reads must be of one round.
    private static func read(_ store: SmartStore, _ turn: Int) throws -> Int {
        switch turn % 16 {
        case 0:
            let page = try store.query(.exact(path: "k", matchKey: "key", pageSize: 50), soup: "e").currentPage
            #expect(page.count == entries && Set(page.entries.map { round($0) }).count == 1)
            return page.count
        case 1:
            let page = try store.runSmartQuery(.smart("select {e:_soup}, {e:round} from {e}", pageSize: 50)).currentPage
            for row in page.rows {
                guard case .entry(let entry) = row[0], case .value(.integer(let number)) = row[1] else {
                    return 0
                }
                #expect(round(entry) == Int(number))
            }
            #expect(page.count == entries)
            return page.count
        case 2:
            let several = try store.retrieve(ids: [1, 5, 9], from: "e")
            #expect(several.count == 3 && Set(several.map { round($0) }).count == 1)
            return several.count
        default:
            #expect(try store.retrieve(id: Int64(turn % entries + 1), from: "e") != nil)
            return 1
        }
    }

    private struct Counts {
        var reads = 0
        var faults: [String: Int] = [:]
    }

    private static func readers(
        _ store: SmartStore, until isOver: @escaping @Sendable () -> Bool
    ) async throws -> Counts {
        let counts = Mutex(Counts())
        try await Threads.run(3) { thread in
            var own = Counts()
            var turn = thread * 5
            while !isOver() {
                do {
                    own.reads += try read(store, turn)
                } catch let fault as Fault {
                    own.faults[fault.description, default: 0] += 1
                }
                turn += 1
            }
            let found = own
            counts.withLock { counts in
                counts.reads += found.reads
                counts.faults.merge(found.faults, uniquingKeysWith: +)
            }
        }
        return counts.withLock { $0 }
    }

    @Test("one thread updates, three read: no fault", arguments: BackEnd.allCases)
    func threads(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try await place(backEnd)
        let isOver = Atomic(false)
        let updates = Atomic(0)
        let writing = Task {
            try await Threads.run {
                let end = ContinuousClock.now + .seconds(4)
                var round = 0
                while ContinuousClock.now < end {
                    round += 1
                    try store.upsert((1...Self.entries).map { Self.entry($0, round) }, into: "e")
                    updates.add(1, ordering: .relaxed)
                }
            }
            isOver.store(true, ordering: .releasing)
        }
        let counts = try await Self.readers(store) { isOver.load(ordering: .acquiring) }
        try await writing.value
        let rounds = updates.load(ordering: .relaxed)
        print("external readers on \(backEnd.rawValue): \(counts.reads) reads, \(rounds) updates, \(counts.faults)")
        #expect(counts.faults.isEmpty)
        #expect(counts.reads > 20 && rounds > 0)
    }

    @Test("a reader that is overtaken each time reads at last with writers kept out", arguments: BackEnd.allCases)
    func overtaken(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try await place(backEnd)
        try await Threads.run {
            var attempts = 0
            var heldTheLock = false
            let text = try store.reading { (session) throws(Fault) in
                let version = try session.connection.integer("SELECT lastModified FROM TABLE_1 WHERE id = 1") ?? 0
                heldTheLock = session.level > 0
                if !heldTheLock {
                    attempts += 1
                    let isDone = DispatchSemaphore(value: 0)
                    DispatchQueue(label: "update").async { [attempts] in
                        _ = try? store.upsert([Self.entry(1, attempts)], into: "e")
                        isDone.signal()
                    }
                    isDone.wait()
                }
                return try session.element(ElementPlace(table: 1, id: 1, version: version))
            }
            let number = attempts
            #expect(heldTheLock && number >= 4)
            #expect(Self.round(text) == number)
        }
    }

    @Test("another process updates, three threads read: no fault", arguments: BackEnd.allCases)
    func processes(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (place, store) = try await place(backEnd)
        let isOver = Atomic(false)
        async let counts = Self.readers(store) { isOver.load(ordering: .acquiring) }
        await #expect(processExitsWith: .exitCode(0)) {
            [path = place.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name, patience: 30_000)
                let end = ContinuousClock.now + .seconds(3)
                var round = 1_000_000
                while ContinuousClock.now < end {
                    round += 1
                    let changed = (1...ExternalReadersTests.entries).map { ExternalReadersTests.entry($0, round) }
                    try other.upsert(changed, into: "e")
                }
                return true
            }
        }
        isOver.store(true, ordering: .releasing)
        let found = try await counts
        print("external readers beside a process on \(backEnd.rawValue): \(found.reads) reads, faults \(found.faults)")
        #expect(found.faults.isEmpty)
        #expect(found.reads > 20)
    }
}
