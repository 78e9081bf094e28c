import Soups

/// Names a quantity that is measured, its unit, and what change of it counts as none.
///
/// The clock is noisy and gets margins of per cents; counters are exact and get almost none.
public struct Metric: Hashable, Sendable {
    private let key: ByteKey

    public init(_ name: String) { key = ByteKey(name) }

    public var name: String { key.text }

    /// Elapsed time (monotonic, nanoseconds).
    public static let wall = Metric("wall")
    /// Time of this process on all its threads (nanoseconds). Less than `wall` means waiting.
    public static let cpu = Metric("cpu")
    /// Steps of SQLite's virtual machine.
    public static let vmSteps = Metric("vm_steps")
    /// Pages that were not in SQLite's cache, and pages written from it.
    public static let cacheMisses = Metric("cache_misses")
    public static let cacheWrites = Metric("cache_writes")
    /// Rows, entries or hits that came back or were written.
    public static let rows = Metric("rows")
    /// Bytes of the database file and its -wal file.
    public static let fileBytes = Metric("file_bytes")
    /// Growth of the resident memory (bytes).
    public static let memoryGrowth = Metric("memory_growth")
    /// An arm that cannot do the work; the reason stands in place of a digest.
    public static let unsupported = Metric("unsupported")

    public var unit: String {
        switch self {
        case .wall, .cpu, .blockTime: "ns"
        case .fileBytes, .memoryGrowth, .workerMemory: "bytes"
        default: "count"
        }
    }

    /// Whether repeats give the same number, so that one measurement decides.
    public var isExact: Bool {
        switch self {
        case .wall, .cpu, .memoryGrowth: false
        default: true
        }
    }

    /// The margin of a row. `smallest` is the lesser median of the two arms, per sample, in the metric's unit.
    public func margin(smallest: Double) -> Margin {
        switch self {
        case .wall where smallest < 1_000_000: Margin(0.10)
        case .wall, .cpu: Margin(0.05)
        case .memoryGrowth: Margin(0.10)
        case .cacheMisses, .cacheWrites: Margin(0.01)
        default: Margin(0)
        }
    }
}

extension Metric: CustomStringConvertible {
    public var description: String { name }
}
