import Soups

/// Finds the complete blocks of a run: their last sample is the time of the block, which is written together with the
/// others or not at all.
struct FinishedBlocks {
    private struct Key: Hashable {
        let cell: ByteKey
        let shard: Shard
        let look: Sample.Look
        let number: Int
    }

    /// The samples of complete blocks, in order; samples of an interrupted block are left out.
    let samples: [Sample]
    private var keys: Set<Key> = []
    private var sums: [ByteKey: (first: Int, second: Int, nanoseconds: Double)] = [:]
    private var memory: [ByteKey: Int] = [:]
    private struct MeasuredTurn: Hashable {
        let block: Key
        let slot: Int
        let arm: Arm
        let content: Sample.Content
    }

    /// Blocks that were measured more than once, or that hold a measurement twice.
    private(set) var doubled: [(cellID: String, number: Int)] = []
    /// Cells with a failed block: no further block of them is measured.
    private(set) var failed: Set<ByteKey> = []

    init(_ samples: [Sample]) {
        for sample in samples where sample.remark == .blockTime {
            guard keys.insert(Self.key(sample)).inserted else {
                doubled.append((sample.cellID, sample.block))
                continue
            }
            var sum = sums[ByteKey(sample.cellID)] ?? (0, 0, 0)
            if sample.look == .first {
                sum.first += 1
            } else {
                sum.second += 1
            }
            sum.nanoseconds += Double(sample.value ?? 0)
            sums[ByteKey(sample.cellID)] = sum
        }
        let whole = keys
        self.samples = samples.filter { whole.contains(Self.key($0)) }
        for sample in self.samples where sample.remark == .workerMemory && sample.arm.build == nil {
            memory[ByteKey(sample.cellID)] = max(memory[ByteKey(sample.cellID)] ?? 0, sample.value ?? 0)
        }
        // Warm-ups repeat; every other measurement is in its turn once.
        var turns: Set<MeasuredTurn> = []
        for sample in self.samples where !sample.isWarmUp && sample.remark != .blockTime {
            let key = Self.key(sample)
            let turn = MeasuredTurn(block: key, slot: sample.slot, arm: sample.arm, content: sample.content)
            let isKnown = doubled.contains { ByteKey($0.cellID) == key.cell && $0.number == sample.block }
            if !turns.insert(turn).inserted, !isKnown {
                doubled.append((sample.cellID, sample.block))
            }
        }
        failed = Set(self.samples.filter { $0.remark == .failed }.map { ByteKey($0.cellID) })
    }

    func contains(_ cellID: String, _ look: Sample.Look, _ number: Int, of shard: Shard) -> Bool {
        keys.contains(Key(cell: ByteKey(cellID), shard: shard, look: look, number: number))
    }

    /// The number of complete blocks of a cell.
    func count(_ cellID: String, _ look: Sample.Look) -> Int {
        let sum = sums[ByteKey(cellID)]
        return (look == .first ? sum?.first : sum?.second) ?? 0
    }

    /// The seconds of the complete blocks of a cell; nil without one.
    func seconds(_ cellID: String) -> Double? { sums[ByteKey(cellID)].map { $0.nanoseconds / 1e9 } }

    /// The most by which the memory of a worker of this build grew in the complete blocks of a cell (bytes); nil
    /// without one that says so.
    func peakMemory(_ cellID: String) -> Int? { memory[ByteKey(cellID)] }

    /// The seconds of all complete blocks.
    var seconds: Double { sums.values.reduce(0) { $0 + $1.nanoseconds } / 1e9 }

    private static func key(_ sample: Sample) -> Key {
        Key(cell: ByteKey(sample.cellID), shard: sample.shard, look: sample.look, number: sample.block)
    }
}
