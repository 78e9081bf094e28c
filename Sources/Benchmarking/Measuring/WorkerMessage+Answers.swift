import JSONText
import Soups

/// What the runner reads from a worker's answers. A worker can be another build, or not a worker at all: an answer that
/// is incomplete or impossible is a fault, never one sample less.
extension WorkerMessage {
    /// The hash of the cell's definition that the worker prepared.
    static func definition(_ answer: JSONValue) throws(Fault) -> String {
        guard let version = answer["version"]?.string else {
            throw unreadable("prepare")
        }
        return version
    }

    static func measurements(_ answer: JSONValue) throws(Fault) -> [ArmBench.Measurement] {
        guard let samples = answer["samples"]?.array else {
            throw unreadable("run")
        }
        var found: [ArmBench.Measurement] = []
        for sample in samples {
            guard let one = ArmBench.Measurement(json: sample), (1...Sample.limit).contains(one.iterations),
                Remark(rawValue: one.metric.name) == nil,
                Sample.Content.metric(one.metric).possibleValues.contains(one.value)
            else {
                throw unreadable("run")
            }
            found.append(one)
        }
        return found
    }

    /// The result of an arm's work; nil is what the worker did not report.
    struct Check: Equatable {
        let digest: String
        let marker: Bool?
        let plan: String?
        let memory: Int?
    }

    static func check(_ answer: JSONValue) throws(Fault) -> Check {
        let memory = answer["memory"]?.int64.flatMap { Int(exactly: $0) }
        let check = answer["digest"]?.string.map {
            Check(digest: $0, marker: answer["marker"]?.bool, plan: answer["plan"]?.string, memory: memory)
        }
        guard let check, (check.marker == nil) == (answer["marker"] == nil),
            (check.plan == nil) == (answer["plan"] == nil),
            (memory == nil) == (answer["memory"] == nil), (0...Sample.limit).contains(memory ?? 0)
        else {
            throw unreadable("check")
        }
        return check
    }

    private static func unreadable(_ step: String) -> Fault {
        Fault(.invalidJSON, "a benchmark worker's answer to '\(step)' cannot be read")
    }
}
