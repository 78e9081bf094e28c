import OfflineStore
import Platform
import SQLiteAccess
import Soups
import Synchronization

/// Measures how long changes take to those who watch: in one process, and from another one with and without the watch
/// of the -wal file. Prints distributions.
struct DelayTrial {
    let backEnd: BackEnd
    let folder: String
    /// Commits of this process, and of the other one in each of its two runs.
    let commits: Int
    let commitsElsewhere: Int

    private static let interval: Duration = .milliseconds(250)
    private static let soup = "s"

    /// - Parameter arguments: Back end, folder, and the two numbers of commits.
    init?(_ arguments: [String]) {
        guard arguments.count == 4, let backEnd = BackEnd(rawValue: arguments[0]), let commits = Int(arguments[2]),
            let commitsElsewhere = Int(arguments[3]), commits > 0, commitsElsewhere > 0
        else { return nil }
        self.backEnd = backEnd
        folder = arguments[1]
        (self.commits, self.commitsElsewhere) = (commits, commitsElsewhere)
    }

    /// Returns whether every commit was delivered.
    func run() throws -> Bool {
        var isWhole = try measureHere()
        for usesFileWatch in [true, false] {
            FileWatch.isUsed.store(usesFileWatch, ordering: .relaxed)
            isWhole = try measureElsewhere(usesFileWatch) && isWhole
        }
        return isWhole
    }

    // MARK: - One process

    /// Commits 5 ms apart: from the beginning of the call that writes, and from its return, to the first line after
    /// `next()`. A delivery may come before the call has returned: that counts as 0.
    private func measureHere() throws -> Bool {
        let store = try Self.open(backEnd, folder + "/here.db")
        let deliveries = Deliveries()
        let task = deliveries.collect(store.changes(in: [Self.soup]))
        var calls: [(began: UInt64, ended: UInt64)] = []
        for _ in 0..<commits {
            CurrentThread.sleep(.milliseconds(5))
            calls.append(try Self.commit(store))
        }
        let whole = Self.match(calls, deliveries.times(upTo: commits))
        task.cancel()
        try store.close()
        guard let whole else { return failed("in one process") }
        Self.report("\(backEnd.rawValue), one process, from the return of the call", whole.fromEnd)
        Self.report("\(backEnd.rawValue), one process, from the beginning of the call", whole.fromBeginning)
        return true
    }

    // MARK: - Two processes

    private func measureElsewhere(_ usesFileWatch: Bool) throws -> Bool {
        let path = folder + "/elsewhere-\(usesFileWatch).db"
        let store = try Self.open(backEnd, path)
        let deliveries = Deliveries()
        let task = deliveries.collect(store.changes(in: [Self.soup], otherProcesses: .within(Self.interval)))
        let log = folder + "/log-\(usesFileWatch)"
        let child = try ChildProcess(
            CommandLine.arguments[0], ["delays-write", backEnd.rawValue, path, String(commitsElsewhere), log])
        guard child.wait() == .exited(code: 0) else { throw Fault(.inputOutput, "the writer has failed") }
        let numbers = String(decoding: try File.read(log) ?? [], as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
        let calls = stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
        let whole = Self.match(calls, deliveries.times(upTo: commitsElsewhere))
        task.cancel()
        try store.close()
        let way = usesFileWatch ? "with the file watch" : "without the file watch"
        guard let whole, calls.count == commitsElsewhere else { return failed(way) }
        Self.report("\(backEnd.rawValue), two processes at 250 ms, \(way)", whole.fromEnd)
        return true
    }

    /// Commits at times that have nothing to do with the interval, and notes when each call began and ended.
    ///
    /// - Parameter arguments: Back end, path of the store, number of commits, path of the log.
    static func write(_ arguments: [String]) throws {
        guard arguments.count == 4, let backEnd = BackEnd(rawValue: arguments[0]), let commits = Int(arguments[2])
        else {
            return print("usage: FaultChild delays-write BACKEND PATH COMMITS LOG")
        }
        let store = try open(backEnd, arguments[1])
        let log = try OpenFile(arguments[3], .replacing)
        for _ in 0..<commits {
            // The watcher must have received the commit before, or it would not be known which one is late.
            CurrentThread.sleep(.milliseconds(.random(in: 350...650)))
            let call = try commit(store)
            try log.write(Array("\(call.began) \(call.ended)\n".utf8))
        }
        try store.close()
    }

    // MARK: - Times

    private static func commit(_ store: SmartStore) throws -> (began: UInt64, ended: UInt64) {
        let began = SystemClock.monotonicNanoseconds
        try store.upsert([Array(#"{"k":"a"}"#.utf8)], into: soup)
        return (began, SystemClock.monotonicNanoseconds)
    }

    /// The delay of the first delivery after each commit; nil if one has none. A slow watcher gets several commits in
    /// one delivery. A commit that was lost would show as one that waited for the next.
    private static func match(
        _ calls: [(began: UInt64, ended: UInt64)], _ deliveries: [UInt64]
    ) -> (fromBeginning: [UInt64], fromEnd: [UInt64])? {
        var (fromBeginning, fromEnd): ([UInt64], [UInt64]) = ([], [])
        for call in calls {
            guard let delivery = deliveries.first(where: { $0 >= call.began }) else { return nil }
            fromBeginning.append(delivery - call.began)
            fromEnd.append(delivery > call.ended ? delivery - call.ended : 0)
        }
        return (fromBeginning, fromEnd)
    }

    private static func report(_ what: String, _ delays: [UInt64]) {
        let sorted = delays.sorted()
        func share(_ part: Double) -> String { text(sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]) }
        print(
            "\(what): median \(share(0.5)), 90 % \(share(0.9)), 95 % \(share(0.95)), 99 % \(share(0.99)), most \(text(sorted[sorted.count - 1])), of \(sorted.count)"
        )
    }

    private static func text(_ nanoseconds: UInt64) -> String {
        nanoseconds < 10_000_000 ? "\(nanoseconds / 1000) us" : "\(nanoseconds / 1_000_000) ms"
    }

    private func failed(_ what: String) -> Bool {
        print("\(backEnd.rawValue), \(what): a commit was not delivered")
        return false
    }

    private static func open(_ backEnd: BackEnd, _ path: String) throws -> SmartStore {
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try FaultChild.key(7) : nil)
        options.settings.busyTimeout = 120_000
        options.settings.durability = .relaxed
        let store = try SmartStore(path: path, options: options)
        try store.registerSoup(soup, indexSpecs: [.string("k")])
        return store
    }
}

/// When each delivery came.
private final class Deliveries: Sendable {
    private let known = Mutex<[UInt64]>([])

    func collect(_ changes: StoreChanges) -> Task<Void, Never> {
        Task {
            for await _ in changes {
                let now = SystemClock.monotonicNanoseconds
                known.withLock { $0.append(now) }
            }
        }
    }

    /// All deliveries, once there are so many, or after two seconds.
    func times(upTo count: Int) -> [UInt64] {
        for _ in 0..<400 where known.withLock({ $0.count }) < count {
            CurrentThread.sleep(.milliseconds(5))
        }
        return known.withLock { $0 }
    }
}
