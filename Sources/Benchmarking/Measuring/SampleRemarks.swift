import JSONText
import Soups

/// Collects what samples say besides figures: query plans, arms that could not do the work, memory.
enum SampleRemarks {
    /// The plans of each cell's arms, as they were in the last block.
    static func plans(_ samples: [Sample]) -> [RunRecord.Plan] {
        var plans: [RunRecord.Plan] = []
        var places: [ByteKey: Int] = [:]
        for sample in samples where sample.remark == .queryPlan {
            let plan = RunRecord.Plan(cellID: sample.cellID, arm: sample.arm, text: sample.note)
            let key = ByteKey(sample.cellID + " " + sample.arm.name)
            if let index = places[key] {
                plans[index] = plan
            } else {
                places[key] = plans.count
                plans.append(plan)
            }
        }
        return plans
    }

    /// Arms that could not do the work, with each reason once.
    static func unsupported(_ samples: [Sample]) -> [(arm: Arm, reason: String)] {
        var found: [(arm: Arm, reason: String)] = []
        for sample in samples
        where sample.remark == .unsupported
            && !found.contains(where: { $0.arm == sample.arm && $0.reason == sample.note })
        {
            found.append((sample.arm, sample.note))
        }
        return found
    }

    /// How far the runner and the largest worker grew beyond what they held when they began (bytes).
    static func memory(_ samples: [Sample], runnerGrowth: Int?) -> JSONValue {
        let largest = samples.filter { $0.remark == .workerMemory }.max { ($0.value ?? 0) < ($1.value ?? 0) }
        func number(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber(Int64($0))) } ?? .null }
        return [
            "runner_growth_bytes": number(runnerGrowth), "worker_growth_bytes": number(largest?.value),
            "worker_cell": largest.map { .string($0.cellID) } ?? .null,
        ]
    }
}
