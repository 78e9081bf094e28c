import Benchmarking
import Dispatch
import OfflineStore
import Platform
import Soups
import Synchronization

/// How long single reads take, alone and while another thread writes: half of them, 95 and 99 of 100, and the slowest.
///
/// Reads are due at fixed moments, and each is timed from its moment on: a read that has to wait makes the ones after
/// it late too, as it would for a user.
enum ReadWhileWritingCells: CellSource {
    private static let (alone, writing) = ("alone", "while-writing")

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil, let size = scope.sizes.max() else {
            return []
        }
        let corpus = StoreCorpus(source: .generated(GeneratedCorpus(seed: scope.seed)), count: size)
        return [cell(corpus, reads: scope.profile.name == .smoke ? 50 : 1_000)]
    }

    private static func cell(_ corpus: StoreCorpus, reads: Int) -> Cell {
        Cell(
            "read-while-writing", corpus.parameters(["reads": String(reads)]), revision: 1,
            summary:
                "retrieves \(reads) entries by id, one every half millisecond: alone, and while a thread inserts 10 entries a transaction",
            arms: Arm.all(alone, writing), comparisons: Cell.Comparison.ways(alone, writing), style: .once,
            primary: .readP95, profile: .full
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            let store = try StorageArm.open(arm, in: folder)
            let ids = corpus.ids(reads, seed: workplace.seed)
            // The first reads of a connection are another cell's.
            for id in ids {
                _ = try store.retrieve(id: id, from: StoreCorpus.soup)
            }
            return PacedReader(
                store, ids, folder, corpus, writes: arm.way == writing)
        }
    }
}

/// Reads entries at fixed moments, and may have a thread that writes until they are read.
private final class PacedReader: Subject {
    /// Nanoseconds from one read to the next.
    private static let pace: UInt64 = 500_000

    private let store: SmartStore
    private let ids: [Int64]
    private let folder: String
    private let corpus: StoreCorpus
    private let writes: Bool
    private var found: [[UInt8]] = []
    private var latencies: [Double] = []

    init(_ store: SmartStore, _ ids: [Int64], _ folder: String, _ corpus: StoreCorpus, writes: Bool) {
        self.store = store
        self.ids = ids
        self.folder = folder
        self.corpus = corpus
        self.writes = writes
    }

    func run(_ watch: Stopwatch) throws -> Int {
        let writer = writes ? try InsertingThread(store) : nil
        defer { writer?.stop() }
        (found, latencies) = ([], [])
        let start = SystemClock.monotonicNanoseconds
        for (number, id) in ids.enumerated() {
            let due = start + UInt64(number) * Self.pace
            // A thread that slept would be woken late, by more than a read takes.
            while SystemClock.monotonicNanoseconds < due {}
            found.append(try store.retrieve(id: id, from: StoreCorpus.soup) ?? [])
            latencies.append(Double(SystemClock.monotonicNanoseconds - due))
        }
        writer?.stop()
        try writer?.check()
        return ids.count
    }

    func counters() throws -> [(Metric, Int)] {
        let shares: [(Metric, Double)] = [(.readP50, 0.5), (.readP95, 0.95), (.readP99, 0.99), (.readMax, 1)]
        return shares.compactMap { metric, share in
            Quantiles.quantile(latencies, share).map { (metric, Int($0)) }
        }
    }

    func digest(into digest: inout ContentDigest) throws {
        for entry in found {
            digest.add(entry: entry)
        }
    }

    var evidence: Evidence? { Evidence(folder: folder, markers: corpus.questions.markers) }

    func close() throws { try store.close() }
}

/// A thread that inserts entries, a transaction after another, until it is stopped.
private final class InsertingThread: Sendable {
    private let isStopped = Atomic(false)
    private let outcome = Mutex<(transactions: Int, fault: (any Error)?)>((0, nil))
    private let began = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Returns when the first transaction is done.
    init(_ store: SmartStore) throws {
        let documents = (0..<10).map { GeneratedCorpus(seed: 1).document(at: $0, version: 2) }
        try DetachedThread.start { [self] in
            defer { ended.signal() }
            while !isStopped.load(ordering: .acquiring) {
                do {
                    try store.upsert(documents, into: StoreCorpus.soup)
                    outcome.withLock { $0.transactions += 1 }
                } catch {
                    outcome.withLock { $0.fault = error }
                    isStopped.store(true, ordering: .releasing)
                }
                began.signal()
            }
        }
        began.wait()
    }

    /// Stops the thread and waits for its end. A second call does nothing.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        ended.wait()
        ended.signal()
    }

    /// - Throws: What a transaction threw.
    func check() throws {
        if let fault = outcome.withLock({ $0.fault }) {
            throw fault
        }
    }
}
