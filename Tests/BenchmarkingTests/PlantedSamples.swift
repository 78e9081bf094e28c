@testable import Benchmarking

extension Cell {
    /// Creates a cell whose work does nothing, for planted samples.
    static func planted(
        _ workload: String = "planted", _ parameters: KeyValuePairs<String, String> = [:],
        arms: [Arm] = [.plain, .cipher], comparisons: [Comparison] = [.init(.plain, .cipher)], claims: [Claim] = []
    ) -> Cell {
        Cell(
            workload, parameters, revision: 1, summary: "planted", arms: arms, comparisons: comparisons, claims: claims
        ) { _, _ in
            Computation(work: { 1 }, answer: { _ in })
        }
    }
}

/// Plants samples of one cell, one after another.
struct PlantedSamples {
    let cell: Cell
    var look = Sample.Look.first
    var shard = Shard.whole
    /// All arms of a block in the order of their turns.
    var order: [Arm] = []
    private(set) var samples: [Sample] = []

    init(_ cell: Cell, look: Sample.Look = .first, shard: Shard = .whole, order: [Arm] = []) {
        self.cell = cell
        self.look = look
        self.shard = shard
        self.order = order
    }

    /// Adds what an arm took in a block; all arms give the answer `d`.
    mutating func add(
        _ arm: Arm, block: Int, slot: Int = 0, _ metric: Metric, _ value: Int, isWarmUp: Bool = false,
        iterations: Int = 1
    ) {
        add(
            arm, block: block, slot: slot, .metric(metric), value, isWarmUp: isWarmUp, iterations: iterations,
            digest: "d")
    }

    /// Adds a remark about a block or an arm.
    mutating func add(_ remark: Remark, of arm: Arm, block: Int, slot: Int = 0, _ value: Int? = nil, note: String = "")
    {
        add(arm, block: block, slot: slot, .remark(remark), value, note: note)
    }

    private mutating func add(
        _ arm: Arm, block: Int, slot: Int, _ content: Sample.Content, _ value: Int?, isWarmUp: Bool = false,
        iterations: Int = 1, digest: String = "", note: String = ""
    ) {
        samples.append(
            Sample(
                cellID: cell.id, workload: cell.workload, parameters: cell.parameterText, arm: arm,
                process: 1, block: block, slot: slot, order: order.map(\.name).joined(separator: ">"),
                look: look, isWarmUp: isWarmUp, iterations: iterations, content: content, value: value,
                digest: digest, note: note, shard: shard))
    }

    /// Creates the one sample which says that an arm could not do the work, or failed.
    static func remark(_ remark: Remark, of arm: Arm, _ cell: Cell, block: Int = 0, note: String) -> Sample {
        var planted = PlantedSamples(cell)
        planted.add(remark, of: arm, block: block, note: note)
        return planted.samples[0]
    }
}
