import Soups

/// Turns the samples of one cell into rows with pairs, ratios and verdicts. Refuses pairs whose answers differ, or
/// whose encryption is not proved.
struct CellJudge {
    let planned: PlannedCell
    /// In the order of looks and numbers.
    private let blocks: [(key: BlockKey, samples: [Sample])]
    private let level: Double
    /// Why arms cannot do the work here.
    private var unsupported: [Arm: String] = [:]

    private struct BlockKey: Hashable {
        let look: Sample.Look
        let number: Int
    }

    init(_ planned: PlannedCell, samples: [Sample], level: Double = 0.95) {
        self.planned = planned
        self.level = level
        let byBlock = Dictionary(grouping: samples) { BlockKey(look: $0.look, number: $0.block) }
        blocks = byBlock.map { (key: $0.key, samples: $0.value) }.sorted {
            ($0.key.look.rawValue, $0.key.number) < ($1.key.look.rawValue, $1.key.number)
        }
        for sample in samples where sample.remark == .unsupported && unsupported[sample.arm] == nil {
            unsupported[sample.arm] = sample.note
        }
    }

    /// The rows of all comparisons of which both arms can do the work here. If no comparison is left, the rows show the
    /// times of the arms that can. In a comparison of two builds, a row says which of them cannot do the work.
    func rows() -> [SummaryRow] {
        let found = planned.comparisons.flatMap { comparison -> [SummaryRow] in
            switch (unsupported[comparison.base], unsupported[comparison.arm]) {
            case (nil, nil): return rows(comparison)
            case (let base?, nil) where RunJudge.gates(comparison):
                var row = row(comparison, planned.cell.primary, nil)
                (row.verdict, row.reason) = (.inconclusive, "\(comparison.base) cannot do it: \(base)")
                return [row]
            case (nil, let arm?) where RunJudge.gates(comparison):
                return [
                    row(comparison, planned.cell.primary, "\(comparison.base) can do it, this build cannot: \(arm)")
                ]
            default: return []
            }
        }
        guard found.isEmpty else {
            return found
        }
        return planned.arms.filter { arm in unsupported[arm] == nil && !samples(of: arm).isEmpty }.flatMap {
            rows(Cell.Comparison($0, .none))
        }
    }

    private func rows(_ comparison: Cell.Comparison) -> [SummaryRow] {
        let refusal = refusal(comparison)
        let metrics = metrics(comparison)
        guard !metrics.isEmpty else {
            return [row(comparison, planned.cell.primary, refusal ?? "no sample was delivered")]
        }
        return metrics.filter { $0 != .cpu || isProcessorTimeOfBoth(comparison) }.map { row(comparison, $0, refusal) }
    }

    /// Whether no arm of a comparison did its work in another process, of which there is no processor time. What this
    /// process takes to ask it would look like an arm that is many times faster.
    private func isProcessorTimeOfBoth(_ comparison: Cell.Comparison) -> Bool {
        arms(comparison).allSatisfy { arm in
            let samples = samples(of: arm)
            return samples.contains { $0.metric == .cpu } || !samples.contains { $0.metric == .wall }
        }
    }

    /// The log ratios of the pairs of one look, in the order of their blocks.
    func logRatios(_ comparison: Cell.Comparison, _ metric: Metric, _ look: Sample.Look) -> SignedRank {
        SignedRank(logRatios: pairs(comparison, metric, look))
    }

    /// The log ratio of each block's pair at the first look, by the block's number.
    func logRatiosByBlock(_ comparison: Cell.Comparison, _ metric: Metric) -> [Int: Double] {
        var ratios: [Int: Double] = [:]
        for (key, samples) in blocks where key.look == .first {
            guard let pair = pair(comparison, metric, samples), pair.base > 0, pair.arm > 0 else {
                continue
            }
            ratios[key.number] = Exponential.log(pair.arm / pair.base)
        }
        return ratios
    }

    private func row(_ comparison: Cell.Comparison, _ metric: Metric, _ refusal: String?) -> SummaryRow {
        let cell = planned.cell
        let base = values(comparison.base, metric)
        let arm = values(comparison.arm, metric)
        var row = SummaryRow(
            cellID: cell.id, workload: cell.workload, parameters: cell.parameterText, metric: metric,
            baseArm: comparison.base, arm: comparison.arm,
            baseMedian: Quantiles.median(base.map(\.perUnit)), armMedian: Quantiles.median(arm.map(\.perUnit)),
            baseP95: Quantiles.quantile(base.map(\.perUnit), 0.95),
            armP95: Quantiles.quantile(arm.map(\.perUnit), 0.95),
            margin: metric.margin(smallest: min(Self.smallest(base), Self.smallest(arm))), verdict: .inconclusive,
            isPlanSame: isPlanSame(comparison),
            isDigestSame: comparison.sameAnswer && comparison.arm != .none ? digestsDiffer(comparison) == nil : nil,
            version: cell.version)
        if comparison.arm == .none {
            row.reason = "nothing to compare with"
        } else if metric.isExact {
            judgeExact(&row, base.map(\.perUnit), arm.map(\.perUnit), isOfTwoBuilds: RunJudge.gates(comparison))
        } else {
            let ranks = logRatios(comparison, metric, .first)
            row.estimate = RatioEstimate(ranks, level: level)
            row.verdict = Verdict(row.estimate, margin: row.margin)
            row.probability = ranks.pairs > 0 ? ranks.probability(centreAtMost: Exponential.log(row.margin.upper)) : nil
            if row.verdict == .inconclusive, row.estimate?.interval == nil {
                row.reason = ranks.pairs == 1 ? "one pair is too few" : "\(ranks.pairs) pairs are too few"
            }
        }
        if let refusal {
            row.verdict = .invalid
            row.reason = refusal
        }
        return row
    }

    /// Judges a counter by its first value, because counters repeat exactly; if this one does not, the row says so.
    ///
    /// If only one arm counts anything, two back ends cannot be compared, because they may count different things. Of
    /// two builds the one that counts more is worse.
    private func judgeExact(_ row: inout SummaryRow, _ base: [Double], _ arm: [Double], isOfTwoBuilds: Bool) {
        guard let one = base.first, let other = arm.first else {
            row.reason = "an arm lacks the counter"
            return
        }
        guard one == other || (one > 0 && other > 0) || isOfTwoBuilds else {
            row.reason = "one of the arms counts nothing"
            return
        }
        let ratio = RatioEstimate.exact(before: one, after: other).ratio
        let pairs = min(base.count, arm.count)
        let steady = base.allSatisfy { $0 == one } && arm.allSatisfy { $0 == other }
        row.estimate = RatioEstimate(
            ratio: ratio, interval: steady ? .init(low: ratio, high: ratio, level: 1) : nil, pairs: pairs)
        row.verdict = Verdict(row.estimate, margin: row.margin)
        if !steady {
            row.reason = "the counter is not the same in every block"
        }
    }

    // MARK: - What makes a row invalid

    private func refusal(_ comparison: Cell.Comparison) -> String? {
        for arm in arms(comparison) {
            for sample in samples(of: arm) {
                if sample.remark == .failed {
                    return "\(arm) failed: \(sample.note)"
                }
                if sample.remark == .marker, let found = sample.value, (found == 0) != arm.isEncrypted {
                    return arm.isEncrypted
                        ? "the files of \(arm) hold plain text" : "the documents are not in the files of \(arm)"
                }
            }
        }
        if comparison.sameAnswer, let block = digestsDiffer(comparison) {
            return "\(comparison.base) and \(comparison.arm) answer differently in block \(block)"
        }
        if let block = blockWithoutPair(comparison) {
            return "a sample is missing in block \(block)"
        }
        return nil
    }

    private func arms(_ comparison: Cell.Comparison) -> [Arm] {
        [comparison.base, comparison.arm].filter { $0 != .none }
    }

    /// The first block in which the arms, or two turns of one of them, gave different answers.
    private func digestsDiffer(_ comparison: Cell.Comparison) -> Int? {
        blocks.first { _, samples in
            Set(samples.filter { arms(comparison).contains($0.arm) && $0.remark == nil }.map { ByteKey($0.digest) })
                .count > 1
        }?.key.number
    }

    /// Whether both arms followed the same query plans in every block; nil if one of them has no plans.
    private func isPlanSame(_ comparison: Cell.Comparison) -> Bool? {
        let base = plans(comparison.base)
        let arm = plans(comparison.arm)
        return base.isEmpty || arm.isEmpty ? nil : base.union(arm).count == 1
    }

    private func plans(_ arm: Arm) -> Set<ByteKey> {
        Set(samples(of: arm).filter { $0.remark == .queryPlan }.map { ByteKey($0.note) })
    }

    private func blockWithoutPair(_ comparison: Cell.Comparison) -> Int? {
        blocks.first { _, samples in
            // A second look leaves out the arms that are not suspects: a pair is missing only if both its arms should
            // have taken their turn.
            let planned = (samples.first?.order ?? "").split(separator: ">").map { Arm(String($0)) }
            guard planned.isEmpty || arms(comparison).allSatisfy(planned.contains) else {
                return false
            }
            let measured = arms(comparison).map { arm in
                samples.contains { $0.arm == arm && !$0.isWarmUp && $0.remark == nil }
            }
            return measured.contains(false)
        }?.key.number
    }

    // MARK: - Samples

    private func samples(of arm: Arm) -> [Sample] { blocks.flatMap { $0.samples.filter { $0.arm == arm } } }

    private func metrics(_ comparison: Cell.Comparison) -> [Metric] {
        var found: [Metric] = []
        for sample in samples(of: comparison.base) + samples(of: comparison.arm) {
            if let metric = sample.metric, !found.contains(metric) {
                found.append(metric)
            }
        }
        return found
    }

    private func values(_ arm: Arm, _ metric: Metric) -> [(perUnit: Double, whole: Double)] {
        samples(of: arm).compactMap { sample in
            guard sample.metric == metric, !sample.isWarmUp, let perUnit = sample.perUnit, let value = sample.value
            else {
                return nil
            }
            return (perUnit, Double(value))
        }
    }

    private static func smallest(_ values: [(perUnit: Double, whole: Double)]) -> Double {
        Quantiles.median(values.map(\.whole)) ?? .infinity
    }

    private func pairs(
        _ comparison: Cell.Comparison, _ metric: Metric, _ look: Sample.Look
    ) -> [(base: Double, arm: Double)] {
        blocks.filter { $0.key.look == look }.compactMap { pair(comparison, metric, $0.samples) }
    }

    /// What the two arms took in one block; nil if one of them has no such sample.
    private func pair(
        _ comparison: Cell.Comparison, _ metric: Metric, _ samples: [Sample]
    ) -> (base: Double, arm: Double)? {
        func value(_ arm: Arm) -> Double? {
            Quantiles.median(
                samples.compactMap { $0.arm == arm && $0.metric == metric && !$0.isWarmUp ? $0.perUnit : nil })
        }
        guard let base = value(comparison.base), let arm = value(comparison.arm) else { return nil }
        return (base, arm)
    }
}
