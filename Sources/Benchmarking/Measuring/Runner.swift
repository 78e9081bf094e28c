import Soups

/// Runs a plan round by round, one block of each cell in each round. So slow minutes affect all cells alike, and every
/// cell has some pairs if the run ends early.
package final class Runner {
    private let setting: RunSetting
    private let started = Stopwatch.nanoseconds()
    private let timeBudget: UInt64?
    private let shard: Shard
    private let finished: FinishedBlocks
    private let expected: CostTable
    /// Seconds that blocks of a cell took, for the estimate.
    private var costs: [ByteKey: (seconds: Double, blocks: Int)] = [:]

    /// - Parameters:
    ///   - timeBudget: Seconds after which no further block begins; at most `longestBudget`.
    ///   - shard: The part of the run that is measured here.
    ///   - finished: Samples of an earlier session of the same run; its complete blocks are not measured again.
    ///   - expected: What cells took in other runs, for the estimate until they were measured here.
    package init(
        _ setting: RunSetting, timeBudget: Double? = nil, shard: Shard = .whole, finished: [Sample] = [],
        expected: CostTable = CostTable()
    ) {
        self.setting = setting
        self.timeBudget = timeBudget.map { UInt64(min(max(0, $0), Self.longestBudget) * 1e9) }
        self.shard = shard
        self.finished = FinishedBlocks(finished)
        self.expected = expected
    }

    /// The longest time budget (seconds): 30 days.
    package static let longestBudget = 30.0 * 86_400

    /// How a run ended.
    package enum Ending: String, Sendable {
        case complete, interrupted
        case outOfTime = "out of time"
        /// The run is still measuring, or was killed.
        case running
    }

    /// How far a run is.
    package struct Progress: Sendable {
        package let doneBlocks: Int
        package let allBlocks: Int
        package let elapsedSeconds: Double
        /// Estimated from the times of each cell's blocks so far, and before its first block from stored runs. nil
        /// while both are unknown, and while a block takes longer than expected.
        package let remainingSeconds: Double?
        /// The cell that is measured next.
        package let cellID: String
    }

    /// Measures all blocks of the cells that are not finished yet. `onBlock` gets the samples of each complete block;
    /// an interrupted block is dropped. Progress is reported before each block and about every second within it.
    ///
    /// - Throws: what `onBlock` throws; `inputOutput` if no worker can be started.
    package func run(
        _ cells: [PlannedCell], look: Sample.Look = .first, onProgress: @escaping (Progress) -> Void = { _ in },
        onBlock: ([Sample]) throws -> Void
    ) throws -> Ending {
        var done = 0
        var failed = finished.failed
        let rounds = cells.map(\.blocks).max() ?? 0
        for round in 0..<rounds {
            for planned in cells where round < planned.blocks {
                let key = ByteKey(planned.cell.id)
                let number = planned.blockNumber(round, look)
                if failed.contains(key) {
                    continue
                }
                if finished.contains(planned.cell.id, look, number, of: shard) {
                    done += 1
                    continue
                }
                if Interruption.isRequested {
                    return .interrupted
                }
                if let timeBudget, Stopwatch.nanoseconds() - started > timeBudget {
                    return .outOfTime
                }
                let (doneBefore, failedBefore) = (done, failed)
                let before = Stopwatch.nanoseconds()
                let tell = { [self] in
                    onProgress(
                        progress(
                            cells, round: round, done: doneBefore, failed: failedBefore, planned.cell, since: before))
                }
                tell()
                var samples: [Sample]
                do throws(Fault) {
                    samples = try Block(planned: planned, number: number, look: look, setting: setting, onWait: tell)
                        .run()
                } catch {
                    if Interruption.isRequested {
                        return .interrupted
                    }
                    throw error
                }
                let took = Stopwatch.nanoseconds() - before
                let cost = costs[key] ?? (0, 0)
                costs[key] = (cost.seconds + Double(took) / 1e9, cost.blocks + 1)
                done += 1
                if samples.contains(where: { $0.remark == .failed }) {
                    failed.insert(key)
                }
                samples.append(
                    Sample(
                        cellID: planned.cell.id, workload: planned.cell.workload,
                        parameters: planned.cell.parameterText, arm: .none,
                        process: samples.first?.process ?? 0, block: number, slot: 0, order: samples.first?.order ?? "",
                        look: look, content: .remark(.blockTime),
                        value: Int(took)))
                for index in samples.indices {
                    samples[index].shard = shard
                }
                try onBlock(samples)
            }
        }
        return .complete
    }

    private func progress(
        _ cells: [PlannedCell], round: Int, done: Int, failed: Set<ByteKey>, _ next: Cell, since start: UInt64
    ) -> Progress {
        let measured = costs.values.reduce((seconds: 0.0, blocks: 0)) {
            ($0.seconds + $1.seconds, $0.blocks + $1.blocks)
        }
        let typical = measured.blocks > 0 ? measured.seconds / Double(measured.blocks) : nil
        var remaining = 0.0
        var reachedNext = false
        for planned in cells where !failed.contains(ByteKey(planned.cell.id)) {
            if ByteKey(planned.cell.id) == ByteKey(next.id) {
                reachedNext = true
            }
            let left = max(0, planned.blocks - round - (reachedNext ? 0 : 1))
            let cost =
                costs[ByteKey(planned.cell.id)].map { $0.seconds / Double($0.blocks) } ?? expected.measured(
                    planned.cell.id)?.seconds ?? typical ?? expected.median ?? 0
            remaining += Double(left) * cost
        }
        let spent = Double(Stopwatch.nanoseconds() - start) / 1e9
        let isKnown = (typical != nil || !expected.isEmpty) && (spent <= remaining || costs[ByteKey(next.id)] != nil)
        return Progress(
            doneBlocks: done, allBlocks: cells.reduce(0) { $0 + $1.blocks },
            elapsedSeconds: Double(Stopwatch.nanoseconds() - started) / 1e9,
            remainingSeconds: isKnown ? max(0, remaining - spent) : nil, cellID: next.id)
    }
}
