import Benchmarking
import OfflineStore
import Soups

/// Work on an open store: a measured closure, one that gives the answer, and the counters, evidence and closing that
/// all storage cells share.
final class StoreSubject: Subject {
    typealias Work = (SmartStore, Stopwatch) throws -> Int
    typealias Answer = (SmartStore, inout ContentDigest) throws -> Void

    private let store: SmartStore
    private let folder: String
    private let markers: [[UInt8]]
    private let work: Work
    private let answer: Answer
    private var rows = 0
    private var memory: ProcessMemory?
    private var growth: Int?

    /// - Parameters:
    ///   - folder: Holds the store's files, and nothing else.
    ///   - markers: Texts of the documents. Without any, an encrypted arm is only checked for a readable header.
    ///   - work: Does the work once and returns the number of entries or calls.
    ///   - answer: Adds what the work returned or stored to the digest. `StoreSubject.allEntries` adds the whole soup.
    init(_ store: SmartStore, folder: String, markers: [[UInt8]], work: @escaping Work, answer: @escaping Answer) {
        self.store = store
        self.folder = folder
        self.markers = markers
        self.work = work
        self.answer = answer
    }

    /// Also counts by how much the process has grown when the work is done.
    ///
    /// - Parameter memory: What the process held before; what it holds now if there is no other.
    func countingGrowth(since memory: ProcessMemory = ProcessMemory()) -> StoreSubject {
        self.memory = memory
        return self
    }

    func run(_ watch: Stopwatch) throws -> Int {
        let done = try work(store, watch)
        growth = memory?.growth
        rows += done
        return done
    }

    func digest(into digest: inout ContentDigest) throws { try answer(store, &digest) }

    func counters() throws -> [(Metric, Int)] {
        let counters = store.counters()
        return [
            (.vmSteps, Int(counters.machineSteps)), (.cacheMisses, Int(counters.cacheMisses)),
            (.cacheWrites, Int(counters.cacheWrites)), (.rows, rows),
        ] + (growth.map { [(.memoryGrowth, $0)] } ?? [])
    }

    func plans() throws -> [String] { try store.statementPlans() }

    var evidence: Evidence? { Evidence(folder: folder, markers: markers) }

    func close() throws { try store.close() }

    /// Adds every entry of a soup in the order of the ids, a thousand at a time. Reads inside a writing transaction,
    /// because a second connection would fill a cache of its own, and the worker's memory is measured.
    static func allEntries(of soup: String, upTo lastID: Int) -> Answer {
        { store, digest in
            for start in stride(from: 1, through: max(lastID, 1), by: 1_000) {
                let ids = (start..<min(start + 1_000, lastID + 1)).map { Int64($0) }
                let entries = try store.transaction { _ in try store.retrieve(ids: ids, from: soup) }
                digest.add(entries.count)
                for entry in entries {
                    digest.add(entry: entry)
                }
            }
        }
    }
}
