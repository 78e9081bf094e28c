import Soups

/// Names a quantity that is measured, its unit, and its margin.
///
/// The clock is noisy and gets margins of several per cent; counters are exact and get almost no margin.
package struct Metric: Hashable, Sendable {
    private let key: ByteKey

    package init(_ name: String) { key = ByteKey(name) }

    package var name: String { key.text }

    /// Elapsed time (monotonic, nanoseconds).
    package static let wall = Metric("wall")
    /// Processor time of this process on all its threads (nanoseconds). Less than `wall` means waiting.
    package static let cpu = Metric("cpu")
    /// Steps of SQLite's virtual machine.
    package static let vmSteps = Metric("vm_steps")
    /// Pages that were not in SQLite's cache, and pages written from it.
    package static let cacheMisses = Metric("cache_misses")
    package static let cacheWrites = Metric("cache_writes")
    /// Rows, entries or hits that came back or were written.
    package static let rows = Metric("rows")
    /// Bytes of the database file and its -wal file.
    package static let fileBytes = Metric("file_bytes")
    /// Growth of the resident memory (bytes).
    package static let memoryGrowth = Metric("memory_growth")

    /// The time of one read, from the moment at which it was due: half of all reads of a block are faster, 95 and 99 of
    /// 100 are, and the slowest. For work that measures every read by itself.
    package static let readP50 = Metric("read_p50")
    package static let readP95 = Metric("read_p95")
    package static let readP99 = Metric("read_p99")
    package static let readMax = Metric("read_max")

    /// Instructions of one unit of work, and how often it asks for memory, as Valgrind counts them.
    package static let instructions = Metric("instructions")
    package static let allocations = Metric("allocations")

    /// Whether it depends on the compiler and on the instructions that the processor has, and not only on the
    /// libraries.
    package var dependsOnBuild: Bool { self == .instructions || self == .allocations }

    package var unit: String {
        switch self {
        case .wall, .cpu, .readP50, .readP95, .readP99, .readMax: "ns"
        case .fileBytes, .memoryGrowth: "bytes"
        default: "count"
        }
    }

    /// Whether repetitions give the same number, so that one measurement is enough.
    package var isExact: Bool {
        switch self {
        case .wall, .cpu, .memoryGrowth, .readP50, .readP95, .readP99, .readMax: false
        default: true
        }
    }

    /// The margin of a row. `smallest` is the smaller median of the two arms, per sample, in the metric's unit.
    package func margin(smallest: Double) -> Margin {
        switch self {
        case .wall where smallest < 1_000_000: Margin(0.10)
        case .wall, .cpu: Margin(0.05)
        case .memoryGrowth, .readP50: Margin(0.10)
        // The tail of a thousand reads is a few of them, and the slowest a single one.
        case .readP95: Margin(0.25)
        case .readP99: Margin(0.50)
        case .readMax: Margin(1)
        case .cacheMisses, .cacheWrites: Margin(0.01)
        case .instructions, .allocations: Margin(0.02)
        default: Margin(0)
        }
    }
}

extension Metric: CustomStringConvertible {
    package var description: String { name }
}
