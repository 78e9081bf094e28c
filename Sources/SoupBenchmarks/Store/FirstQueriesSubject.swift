import Benchmarking
import OfflineStore
import Soups

/// Opens a store for each run, with the clock stopped, and asks queries that were not asked before.
final class FirstQueriesSubject: Subject {
    private let arm: Arm
    private let folder: String
    private let markers: [[UInt8]]
    private let specs: [QuerySpec]
    private let change: (inout StoreOptions) -> Void
    private var answers = QueryAnswers()
    private var counted: [(Metric, Int)] = [(.vmSteps, 0), (.cacheMisses, 0), (.rows, 0)]
    private var found: [String] = []

    init(
        arm: Arm, folder: String, markers: [[UInt8]], specs: [QuerySpec],
        change: @escaping (inout StoreOptions) -> Void = { _ in }
    ) {
        self.arm = arm
        self.folder = folder
        self.markers = markers
        self.specs = specs
        self.change = change
    }

    func run(_ watch: Stopwatch) throws -> Int {
        let store = try watch.pause { try StorageArm.open(arm, in: folder, change: change) }
        try answers.ask(specs, of: store)
        try watch.pause {
            let counters = store.counters()
            for (index, count) in [Int(counters.machineSteps), Int(counters.cacheMisses), specs.count].enumerated() {
                counted[index].1 += count
            }
            if found.isEmpty {
                found = try store.statementPlans()
            }
            try store.close()
        }
        return 1
    }

    func digest(into digest: inout ContentDigest) throws { answers.feed(&digest) }
    func counters() throws -> [(Metric, Int)] { counted }
    func plans() throws -> [String] { found }
    var evidence: Evidence? { Evidence(folder: folder, markers: markers) }
}
