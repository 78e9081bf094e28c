import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// How cells are distributed over shards, and how stored runs give their costs.
struct ShardPlanTests {
    static let machine = CostTable.Source(runID: "run", machine: "a processor")

    static func planned(_ workload: String, blocks: Int = 10, isNull: Bool = false) -> PlannedCell {
        let arms: [Arm] = [.plain, .cipher] + (isNull ? [.plainAgain] : [])
        let comparisons = [Cell.Comparison(.plain, .cipher)] + (isNull ? [.init(.plain, .plainAgain)] : [])
        let cell = Cell(workload, revision: 1, summary: "-", arms: arms, comparisons: comparisons) { _, _ in
            Computation {
                1
            } answer: { _ in
            }
        }
        var planned = PlannedCell(cell, profile: Profile(.quick))
        planned.blocks = blocks
        return planned
    }

    /// The control, a cell with a null row, and others.
    static func cells(_ others: [String]) -> [PlannedCell] {
        [planned(Control.workload), planned("null", isNull: true)] + others.map { planned($0) }
    }

    /// A run in which each cell took the given number of seconds for a block.
    static func manifest(_ seconds: [(String, Double)], pairs: Int = 10, second: Int = 0) -> Manifest {
        Manifest(
            seconds.map { cell, cost in
                .init(
                    cellID: cell, version: "v", shard: .whole, arms: [.plain], plannedPairs: pairs,
                    deliveredPairs: pairs, secondPairs: second,
                    seconds: cost * Double(pairs + second))
            })
    }

    static func costs(_ seconds: [(String, Double)]) -> CostTable {
        var table = CostTable()
        table.add(manifest(seconds), from: machine)
        return table
    }

    private func dealt(_ plan: ShardPlan) -> [[String]] {
        Shard.all(of: plan.count).map { shard in
            plan.cells(of: shard).map(\.cell.id).filter { $0 != "control" && $0 != "null" }
        }
    }

    @Test func `the longest go first to who has least to do`() throws {
        let costs = Self.costs([("a", 1), ("b", 5), ("c", 4), ("d", 3), ("e", 3)])
        let plan = try ShardPlan(Self.cells(["a", "b", "c", "d", "e"]), costs: costs, shards: 2)
        // 5 and 4; one 3 joins the 4, the other the 5; 1 joins the 7 and not the 8.
        #expect(dealt(plan) == [["b", "e"], ["a", "c", "d"]])
        #expect(plan.entries.filter { $0.planned.cell.id == "b" }.map(\.expectedSeconds) == [50])
    }

    @Test func `control and null row are in every shard and every other cell in one`() throws {
        var random = SeededRandom(seed: 41)
        for count in [1, 2, 3, 7] {
            let names = (0..<20).map { "cell-\($0)" }
            let costs = Self.costs(
                names.filter { _ in Bool.random(using: &random) }.map {
                    ($0, Double.random(in: 0.1...9, using: &random))
                })
            let plan = try ShardPlan(Self.cells(names), costs: costs, shards: count)
            #expect(dealt(plan).flatMap { $0 }.sorted() == names.sorted(), "seed \(random.seed)")
            for shard in Shard.all(of: count) {
                let cells = plan.cells(of: shard)
                #expect(
                    cells.filter { ["control", "null"].contains($0.cell.id) }.map(\.firstBlock) == [
                        (shard.number - 1) * 10_000, (shard.number - 1) * 10_000,
                    ])
                #expect(cells.dropFirst(2).allSatisfy { $0.firstBlock == 0 })
            }
        }
    }

    @Test func `the same cells in any order give the same shards`() throws {
        let names = ["a", "b", "c", "d", "e", "f"]
        // Nothing is known: all alike, by name.
        let plan = try ShardPlan(Self.cells(names), costs: CostTable(), shards: 3)
        #expect(dealt(plan) == [["a", "d"], ["b", "e"], ["c", "f"]])
        let turned = try ShardPlan(Self.cells(names.reversed()), costs: CostTable(), shards: 3)
        #expect(dealt(turned).map { $0.sorted() } == dealt(plan))
        #expect(plan.entries.allSatisfy { $0.expectedSeconds == nil })
    }

    @Test func `cells of no cost are spread too`() throws {
        let plan = try ShardPlan(
            Self.cells(["a", "b", "c", "d"]).map {
                var one = $0
                one.blocks = 0
                return one
            }, costs: CostTable(), shards: 4)
        #expect(dealt(plan).allSatisfy { $0.count == 1 })
    }

    @Test func `more shards than cells are refused`() {
        let fault = #expect(throws: Fault.self) {
            try ShardPlan(Self.cells(["a", "b"]), costs: CostTable(), shards: 3)
        }
        #expect(
            fault?.code == .invalidArguments
                && fault?.message.contains("there are 2 cells to deal out to 3 shards") == true)
        #expect(throws: Fault.self) { try ShardPlan(Self.cells(["a"]), costs: CostTable(), shards: 0) }
        #expect(throws: Fault.self) { try ShardPlan(Self.cells(["a"]), costs: CostTable(), shards: 1_001) }
        #expect(throws: Never.self) {
            try ShardPlan([Self.planned(Control.workload)], costs: CostTable(), shards: 1)
        }
    }

    @Test func `unknown cells cost the median and the newest run counts`() throws {
        var table = Self.costs([("a", 1), ("b", 2), ("c", 9)])
        #expect(table.expected("unknown") == 2 && table.measured("unknown") == nil)
        table.add(Self.manifest([("b", 4)], pairs: 10, second: 15), from: .init(runID: "newer", machine: "m"))
        #expect(
            table.measured("b")?.seconds == 4 && table.measured("b")?.source.runID == "newer"
                && table.measured("a")?.source.runID == "run")
        // A run without samples gives no costs.
        table.add(
            Manifest([
                .init(
                    cellID: "a", version: "v", shard: .whole, arms: [], plannedPairs: 5, deliveredPairs: 0,
                    secondPairs: 0)
            ]), from: Self.machine)
        #expect(table.measured("a")?.seconds == 1)
        #expect(CostTable().expected("a") == nil && CostTable().isEmpty)
    }

    @Test(arguments: ["", "1", "0/2", "3/2", "1/2/3", "a/b", "1/1001", "-1/2", "1/", " 1/2"])
    func `what is no shard is refused`(text: String) { #expect(Shard(text) == nil) }

    @Test func `shards are read as they are written`() {
        #expect(Shard("2/3")?.description == "2/3" && Shard("1/1") == .whole)
    }

    @Test func `the total says on whose word and what is a guess`() {
        let costs = Self.costs([("a", 6), ("b", 12)])
        let known = ShardPlan(undivided: [Self.planned("a"), Self.planned("b")], costs: costs)
        #expect(
            PlanTable.total(known.entries, costs) == "2 cells; about 3:00 min on the machine of run run (a processor)")
        let partly = ShardPlan(undivided: [Self.planned("a"), Self.planned("z")], costs: costs)
        #expect(
            PlanTable.total(partly.entries, costs)
                == "2 cells; about 2:30 min on the machine of run run (a processor); 1 never measured before, estimated at the median cost (~)"
        )
        let unknown = ShardPlan(undivided: [Self.planned("z")], costs: costs)
        #expect(PlanTable.total(unknown.entries, costs).contains("a guess"))
        #expect(PlanTable.total(ShardPlan(undivided: [Self.planned("a")]).entries, CostTable()).contains("not known"))
        #expect(PlanTable.make(partly.entries, costs).contains("~9.00"))
    }
}
