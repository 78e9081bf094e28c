import Dispatch
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Reading external entries while another thread, or another process, changes them gives the old version or the new
/// one, never a fault.
@Suite(.serialized)
struct ExternalReadersTests {
    static let entries = 20
    /// At least so many updates are made while readers read.
    static let rounds = 30

    /// The entry of an id at one round: all entries of a round are written in one transaction.
    static func entry(_ id: Int, _ round: Int) -> [UInt8] {
        let filler = String(repeating: "x", count: 400)
        return "{\"_soupEntryId\":\(id),\"round\":\(round),\"k\":\"key\",\"filler\":\"\(filler)\"}".bytes
    }

    private func setup(_ backEnd: BackEnd) async throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try await Threads.run {
            let store = try setup.open {
                $0.clock = .system
                $0.settings.durability = .relaxed
                $0.settings.busyTimeout = 300_000
            }
            let spec = SoupSpec(name: "e", features: [.externalStorage])
            try store.registerSoup(spec, indexSpecs: [.string("k"), .integer("round")])
            try store.upsert((1...Self.entries).map { Self.entry($0, 0) }, into: "e")
            return store
        }
        return (setup, store)
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

    /// What readers have seen so far, while they read.
    private final class Readers: Sendable {
        /// Readers go on until they have read so many entries.
        static let enough = 4_000

        private let reads = Atomic(0)
        private let faults = Mutex<[String: Int]>([:])
        private let isOver = Atomic(false)

        var count: Int { reads.load(ordering: .relaxed) }
        var found: [String: Int] { faults.withLock { $0 } }
        /// Whether enough was read, or nothing more is to be expected.
        var isDone: Bool { count >= Self.enough || isOver.load(ordering: .acquiring) }

        func end() { isOver.store(true, ordering: .releasing) }

        /// Reads in three threads until `end`.
        func run(_ store: SmartStore) async throws {
            try await Threads.run(3) { [self] thread in
                var turn = thread * 5
                while !isOver.load(ordering: .acquiring) {
                    do {
                        reads.add(try ExternalReadersTests.read(store, turn), ordering: .relaxed)
                    } catch let fault as Fault {
                        faults.withLock { $0[fault.description, default: 0] += 1 }
                    }
                    turn += 1
                }
            }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `one thread updates, three read: no fault`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try await setup(backEnd)
        let readers = Readers()
        let writing = OwnThread {
            defer { readers.end() }
            var round = 0
            _ = try Waiting.block {
                round += 1
                try store.upsert((1...Self.entries).map { Self.entry($0, round) }, into: "e")
                return round >= Self.rounds && readers.isDone
            }
            return round
        }
        try await readers.run(store)
        let rounds = try await writing.value()
        print("external readers on \(backEnd.rawValue): \(readers.count) reads, \(rounds) updates, \(readers.found)")
        #expect(readers.found.isEmpty)
        #expect(readers.count >= Readers.enough && rounds >= Self.rounds)
    }

    @Test(arguments: BackEnd.allCases)
    func `a reader that is overtaken each time reads at last with writers kept out`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try await setup(backEnd)
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
                return try session.element(ElementVersion(table: 1, id: 1, version: version))
            }
            let number = attempts
            #expect(heldTheLock && number >= 4)
            #expect(Self.round(text) == number)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `another process updates, three threads read: no fault`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try await setup(backEnd)
        let readers = Readers()
        let reading = Task { try await readers.run(store) }
        let isEnough = FileSignal(setup.path + ".enough")
        let watching = OwnThread {
            _ = Waiting.block { readers.isDone }
            isEnough.raise()
        }
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let other = try OtherProcessTests.open(path, name)
                let isEnough = FileSignal(path + ".enough")
                var round = 1_000_000
                return try Waiting.block {
                    round += 1
                    let changed = (1...ExternalReadersTests.entries).map { ExternalReadersTests.entry($0, round) }
                    try other.upsert(changed, into: "e")
                    return round >= 1_000_000 + ExternalReadersTests.rounds && isEnough.isRaised
                }
            }
        }
        readers.end()
        try await reading.value
        try await watching.value()
        print("external readers beside a process on \(backEnd.rawValue): \(readers.count) reads, \(readers.found)")
        #expect(readers.found.isEmpty)
        #expect(readers.count >= Readers.enough)
    }
}
