import Benchmarking
import OData
import Platform
import Soups

/// By how much the process grows while it reads a large feed from a file and drops the entries: the feed may be of any
/// length, the memory may not.
enum ODataMemoryCells: CellSource {
    static let regular = Arm("regular")
    static let irregular = Arm("irregular")

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let megabytes = scope.profile.name == .smoke ? 1 : 100
        return [cell("atom", megabytes), cell("json", megabytes)]
    }

    /// Measured before the first arm of a process is prepared.
    private static let memory = ProcessMemory()

    private static func cell(_ format: String, _ megabytes: Int) -> Cell {
        Cell(
            "odata-memory", ["format": format, "megabytes": String(megabytes)], revision: 1,
            summary: "reads a feed of \(megabytes) MB from a file, streaming", arms: [regular, irregular],
            comparisons: [.init(regular, irregular, sameAnswer: false)], style: .once, primary: .memoryGrowth, pairs: 6,
            profile: .full,
            claims: [regular, irregular].map { arm in
                Claim(
                    "FLOOR-odata-memory", "a feed of 100 MB is read with less than 8 MB of growth", backend: "any",
                    metric: .memoryGrowth,
                    .cost(arm: arm, atMost: 8_000_000))
            }
        ) { arm, workplace in
            let memory = memory
            let isAtom = format == "atom"
            let corpus = FeedCorpus(isRegular: arm.work == regular, bytes: megabytes << 20, seed: workplace.seed)
            let file =
                try workplace.template("feed-\(format)-\(arm.work)-\(megabytes)") {
                    try write(corpus, isAtom: isAtom, to: $0 + "/feed")
                } + "/feed"
            return Reading(file, isAtom ? .v2 : .v4, memory)
        }
    }

    private static func write(_ corpus: FeedCorpus, isAtom: Bool, to path: String) throws {
        do throws(SystemError) {
            let file = try FileWriter(path)
            var failure: SystemError?
            let take: ([UInt8]) -> Void = {
                do throws(SystemError) { try file.write($0) } catch { failure = error }
            }
            if isAtom {
                corpus.atom(take)
            } else {
                corpus.json(take)
            }
            try file.finish()
            if let failure {
                throw failure
            }
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be written: \(error.reason)")
        }
    }

    /// Reads the file in chunks of 64 KiB, and measures the memory at the end.
    private final class Reading: Subject {
        private let file: String
        private let version: ODataVersion
        private let memory: ProcessMemory
        private var count = 0
        private var growth: Int?

        init(_ file: String, _ version: ODataVersion, _ memory: ProcessMemory) {
            self.file = file
            self.version = version
            self.memory = memory
        }

        func run(_ watch: Stopwatch) throws -> Int {
            let feed = try OpenFile(file)
            var options = PayloadOptions(version: version)
            options.limits.totalBytes = .max
            var reader = ODataPayloadReader(options: options)
            count = 0
            while true {
                switch try reader.next() {
                case .entry: count += 1
                case .link: continue
                case .end:
                    growth = memory.growth
                    return count
                case .needsInput:
                    let piece = try feed.read(atMost: 64 << 10)
                    if piece.isEmpty {
                        try reader.finish()
                    } else {
                        try reader.append(piece)
                    }
                }
            }
        }

        func digest(into digest: inout ContentDigest) throws { digest.add(count) }

        func counters() throws -> [(Metric, Int)] { growth.map { [(.memoryGrowth, $0)] } ?? [] }
    }
}
