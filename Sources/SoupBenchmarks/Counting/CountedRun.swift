import Benchmarking
import OfflineStore
import Soups
import Synchronization

/// What the process does whose instructions are counted: each work a number of times, and then twice as often.
package enum CountedRun {
    /// The entries of the store in which works are counted: enough for a B-tree of several levels.
    static let entries = 1_000

    static func corpus(seed: UInt64) -> StoreCorpus {
        StoreCorpus(source: .generated(GeneratedCorpus(seed: seed)), count: entries)
    }

    /// Does the works, in a copy of the filled store for those that need one. The order of the regions is that of the
    /// works, two for each.
    ///
    /// - Throws: `invalidArguments` for a seed that is not a number; what the works throw.
    package static func serve(storing: Bool, folder: String, seed: String) throws {
        guard let seed = UInt64(seed) else {
            throw Fault(.invalidArguments, "the seed is not a number")
        }
        let corpus = corpus(seed: seed)
        let store = storing ? try StorageArm.open(.plain, in: folder) : nil
        for work in CountedWork.all(storing: storing) {
            let repeated = try work.prepare(store, corpus)
            // Statements are prepared and caches filled before anything is counted.
            try repeated(work.times)
            for times in [work.times, 2 * work.times] {
                countingBegins()
                try repeated(times)
                countingEnds()
            }
        }
        try store?.close()
    }

    /// The hidden command that does this.
    package static let command = "count-worker"

    /// The names by which Valgrind finds the functions below, whatever the compiler adds to them.
    static let beginning = "countingBegins"
    static let end = "countingEnds"
}

private let marks = Atomic<Int>(0)

/// Valgrind sets its counts to zero when this function is called. It does something, or its calls would be removed.
@inline(never)
private func countingBegins() { marks.add(1, ordering: .relaxed) }

/// Valgrind writes its counts to a file when this function is called.
@inline(never)
private func countingEnds() { marks.subtract(1, ordering: .relaxed) }
