import FoundationEssentials
import OfflineStore
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@Suite
struct StoreEventTests {
    private final class Log: Sendable {
        private let log = Mutex<[StoreEvent]>([])
        /// Returns the events since the last call.
        func take() -> [StoreEvent] {
            log.withLock { events in
                defer { events.removeAll() }
                return events
            }
        }
        func add(_ event: StoreEvent) { log.withLock { $0.append(event) } }
    }

    private func store(_ setup: StoreFolder) throws -> (SmartStore, Log) {
        let log = Log()
        let store = try setup.open { options in
            options.events = { log.add($0) }
        }
        try store.registerSoup("s", indexSpecs: [.string("k"), .json1("j")])
        _ = log.take()
        return (store, log)
    }

    @Test(arguments: BackEnd.allCases)
    func `loading sends an event for each transaction, with the entries that it stored`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let (store, log) = try store(setup)
        let lines = (1...5).map { "{\"k\":\"secret \($0)\"}\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: setup.folder.file("lines")))
        try store.load(jsonLines: setup.folder.file("lines"), into: "s", entriesPerTransaction: 2)
        let events = log.take()
        #expect(events.map(\.operation) == [.load, .load, .load])
        #expect(events.map(\.rows) == [2, 2, 1])
        #expect(events.allSatisfy { $0.nanoseconds > 0 && $0.statement == nil })
    }

    @Test(arguments: BackEnd.allCases)
    func `explaining and looking up an id send events with their statements, and never a value`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let (store, log) = try store(StoreFolder(backEnd))
        try store.upsert([#"{"k":"top secret","j":1}"#.bytes], into: "s")
        _ = log.take()
        let plan = try store.explain(.exact(path: "k", matchKey: "top secret"), soup: "s")
        let smart = try store.explain(.smart("select {s:k} from {s}"))
        #expect(try store.lookupEntryId(inSoup: "s", path: "k", value: .text("top secret".bytes)) == 1)
        #expect(try store.lookupEntryId(inSoup: "s", path: "k", value: .text("another secret".bytes)) == nil)
        let events = log.take()
        #expect(events.map(\.operation) == [.explain, .explain, .lookup, .lookup])
        #expect(events.map(\.rows) == [0, 0, 1, 0])
        #expect(events[0].statement == plan.sql && events[1].statement == smart.sql)
        #expect(events[2].statement?.contains("TABLE_1_0 = ?") == true && (events[2].counters?.machineSteps ?? 0) > 0)
        #expect(events.allSatisfy { $0.nanoseconds > 0 && !($0.statement ?? "").contains("secret") })
        // Calls without a name of their own send no event.
        _ = try store.allSoupNames()
        #expect(log.take().isEmpty)
    }

    @Test(arguments: BackEnd.allCases)
    func `each call sends how many entries it wrote, rows it gave or rows it removed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (store, log) = try store(StoreFolder(backEnd))
        func expect(_ operation: StoreEvent.Operation, _ rows: Int, _ work: () throws -> Void) rethrows {
            try work()
            let events = log.take()
            #expect(events.map(\.operation) == [operation] && events.map(\.rows) == [rows], "\(events)")
        }
        let entries = (1...5).map { #"{"k":"\#($0)"}"#.bytes }
        try expect(.upsert, 5) { try store.upsert(entries, into: "s") }
        try expect(.upsert, 1) { try store.upsert(array: #"[{"k":"6"}]"#.bytes, into: "s") }
        try expect(.retrieve, 2) { _ = try store.retrieve(ids: [1, 9, 2], from: "s") }
        try expect(.retrieve, 1) { _ = try store.retrieve(id: 1, from: "s") }
        try expect(.retrieve, 0) { _ = try store.retrieve(id: 9, from: "s") }
        try expect(.reIndexSoup, 6) { try store.reIndexSoup("s", paths: ["k"]) }
        let all = QuerySpec.all(orderPath: "k", pageSize: 4)
        var cursor = try store.query(all, soup: "s")
        #expect(log.take().map(\.rows) == [4])
        try expect(.query, 2) { try cursor.moveToNextPage() }
        cursor = try store.runSmartQuery(.smart("select {s:k} from {s}", pageSize: 4))
        #expect(log.take().map(\.rows) == [4])
        try expect(.query, 2) { try cursor.moveToNextPage() }
        try expect(.remove, 1) { try store.remove(ids: [6, 99], from: "s") }
        try expect(.remove, 2) { try store.remove(matching: .range(path: "k", through: "2"), from: "s") }
        try expect(.remove, 1) { try store.remove(matching: .smart("select 3 as id"), from: "s") }
        try expect(.clearSoup, 0) { try store.clearSoup("s") }
    }

    @Test(arguments: BackEnd.allCases)
    func `counting sends its statement and what that cost, each time`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (store, log) = try store(StoreFolder(backEnd))
        try store.upsert((1...100).map { #"{"k":"\#($0)"}"#.bytes }, into: "s")
        _ = log.take()
        for _ in 1...2 {
            #expect(try store.count(.like(path: "k", likeKey: "%9%"), soup: "s") == 19)
            #expect(try store.count(.smart("select {s:k} from {s}")) == 100)
        }
        let events = log.take()
        #expect(events.map(\.operation) == [.count, .count, .count, .count])
        #expect(events.allSatisfy { $0.rows == 1 && $0.statement != nil && ($0.counters?.machineSteps ?? 0) > 0 })
        #expect(events[0].counters == events[2].counters && events[1].counters == events[3].counters)
    }

    @Test
    func `a call that fails sends an event without rows`() throws {
        let (store, log) = try store(StoreFolder(.plain))
        #expect(faultCode { try store.upsert([#"{"k":1}"#.bytes, "[".bytes], into: "s") } == .invalidEntry)
        let events = log.take()
        #expect(events.map(\.operation) == [.upsert] && events.map(\.rows) == [0] && events[0].statement == nil)
    }

    @Test
    func `a change of the key sends an event, then one of the opening with it; a change that fails sends one too`()
        throws
    {
        try BackEnd.cipher.skipIfMissing()
        let setup = try StoreFolder(.cipher)
        let (store, log) = try store(setup)
        try store.rekey(to: BackEnds.key(9))
        let events = log.take()
        #expect(events.map(\.operation) == [.rekey, .open])
        #expect(events[0].nanoseconds > 0 && events[0].statement == nil && events[0].rows == 0)
        let other = try BackEnd.cipher.library()
        let holder = try Connection(path: setup.path, library: other, access: .readWrite, key: BackEnds.key(9))
        try holder.execute("BEGIN IMMEDIATE")
        #expect(faultCode { try store.rekey(to: BackEnds.key(10)) } != nil)
        try holder.execute("ROLLBACK")
        holder.close()
        #expect(log.take().first?.operation == .rekey)
        #expect(try store.allSoupNames() == ["s"])
    }
}
