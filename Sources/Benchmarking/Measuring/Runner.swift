import Soups

/// Runs a plan block by block, in the order of `BlockOrder`.
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
        var order = BlockOrder(cells)
        for position in cells.indices where finished.failed.contains(ByteKey(cells[position].cell.id)) {
            order.giveUp(position)
        }
        while let (position, round) = order.next(secondsLeft: secondsLeft, cost: { self.cost(cells[$0].cell) }) {
            let planned = cells[position]
            let number = planned.blockNumber(round, look)
            if finished.contains(planned.cell.id, look, number, of: shard) {
                order.finish(position)
                continue
            }
            if Interruption.isRequested {
                return .interrupted
            }
            if let secondsLeft, secondsLeft < 0 {
                return .outOfTime
            }
            let before = Stopwatch.nanoseconds()
            let tell = { [self, order] in onProgress(progress(cells, order, planned.cell, since: before)) }
            tell()
            var samples: [Sample]
            do throws(Fault) {
                samples = try Block(planned: planned, number: number, look: look, setting: setting, onWait: tell).run()
            } catch {
                if Interruption.isRequested {
                    return .interrupted
                }
                throw error
            }
            let took = Stopwatch.nanoseconds() - before
            note(took, planned.cell)
            order.finish(position)
            if samples.contains(where: { $0.remark == .failed }) {
                order.giveUp(position)
            }
            order.postpone(secondsLeft: secondsLeft, cost: { self.cost(cells[$0].cell) })
            samples.append(Self.blockTime(took, of: planned.cell, number, look, samples.first))
            for index in samples.indices {
                samples[index].shard = shard
            }
            try onBlock(samples)
        }
        return .complete
    }

    /// Adds the time of a block to what its cell has cost.
    private func note(_ nanoseconds: UInt64, _ cell: Cell) {
        let cost = costs[ByteKey(cell.id)] ?? (0, 0)
        costs[ByteKey(cell.id)] = (cost.seconds + Double(nanoseconds) / 1e9, cost.blocks + 1)
    }

    /// The time of a whole block as a sample of no arm.
    private static func blockTime(
        _ nanoseconds: UInt64, of cell: Cell, _ number: Int, _ look: Sample.Look, _ first: Sample?
    ) -> Sample {
        Sample(
            cellID: cell.id, workload: cell.workload, parameters: cell.parameterText, arm: .none,
            process: first?.process ?? 0, block: number, slot: 0, order: first?.order ?? "", look: look,
            content: .remark(.blockTime), value: Int(nanoseconds))
    }

    /// What is left of the time budget; nil without one.
    private var secondsLeft: Double? {
        timeBudget.map { (Double($0) - Double(Stopwatch.nanoseconds() - started)) / 1e9 }
    }

    /// What a block of a cell takes (seconds): what it took so far, or in other runs; 0 while that is unknown.
    private func cost(_ cell: Cell) -> Double {
        costs[ByteKey(cell.id)].map { $0.seconds / Double($0.blocks) } ?? expected.measured(cell.id)?.seconds ?? typical
            ?? expected.median ?? 0
    }

    /// The mean of all blocks so far.
    private var typical: Double? {
        let measured = costs.values.reduce((seconds: 0.0, blocks: 0)) {
            ($0.seconds + $1.seconds, $0.blocks + $1.blocks)
        }
        return measured.blocks > 0 ? measured.seconds / Double(measured.blocks) : nil
    }

    private func progress(
        _ cells: [PlannedCell], _ order: BlockOrder, _ next: Cell, since start: UInt64
    ) -> Progress {
        let remaining = cells.indices.reduce(0) { sum, position in
            sum + Double(cells[position].blocks - order.done[position]) * cost(cells[position].cell)
        }
        let spent = Double(Stopwatch.nanoseconds() - start) / 1e9
        let isKnown = (typical != nil || !expected.isEmpty) && (spent <= remaining || costs[ByteKey(next.id)] != nil)
        return Progress(
            doneBlocks: order.done.reduce(0, +), allBlocks: cells.reduce(0) { $0 + $1.blocks },
            elapsedSeconds: Double(Stopwatch.nanoseconds() - started) / 1e9,
            remainingSeconds: isKnown ? max(0, remaining - spent) : nil, cellID: next.id)
    }
}
