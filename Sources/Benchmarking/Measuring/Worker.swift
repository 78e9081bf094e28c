import JSONText
import Platform
package import Soups

/// Serves one block of a benchmark in a process of its own: prepares, runs and checks arms as the runner asks, then
/// ends with its input.
///
/// It runs as a hidden command of the program; `WorkerMessage` describes the messages.
package enum Worker {
    /// Serves standard input and output until the input ends.
    ///
    /// - Throws: `inputOutput`, `invalidJSON` if the runner's messages cannot be read; faults of the work itself are
    ///   sent as answers.
    package static func serve(_ catalogue: any CellCatalogue) throws(Fault) {
        CurrentProcess.ignoreBrokenPipes()
        let channel = LineChannel(input: .standardInput, output: .standardOutput)
        var session = Session(catalogue: catalogue)
        while let request = try channel.receive() {
            do throws(Fault) {
                try channel.send(session.answer(request))
            } catch {
                try channel.send(["fault": .string(error.description)])
            }
        }
    }

    /// The arms prepared in this process.
    struct Session {
        let catalogue: any CellCatalogue
        private var cells: [Cell] = []
        private var bench = ArmBench()
        /// The memory at the start of the process: what it needs beyond that is due to the work.
        private let memory = ProcessMemory()

        init(catalogue: any CellCatalogue) { self.catalogue = catalogue }

        mutating func answer(_ request: JSONValue) throws(Fault) -> JSONValue {
            switch request["do"]?.string {
            case "begin":
                guard request["protocol"]?.int64 == WorkerMessage.version, let scope = request["scope"] else {
                    throw Fault(.unsupported, "this worker speaks protocol \(WorkerMessage.version)")
                }
                cells = catalogue.cells(try CellScope(json: scope, catalogue))
                return [
                    "pid": .number(JSONNumber(Int64(CurrentProcess.id))),
                    "protocol": .number(JSONNumber(WorkerMessage.version)),
                ]
            case "versions":
                return .object(JSONObject(cells.map { ($0.id, .string($0.version)) }))
            case "prepare":
                let id = try text("cell", request)
                guard let cell = cells.first(where: { ByteKey($0.id) == ByteKey(id) }) else {
                    return ["unsupported": .string("this build has no cell \(id)")]
                }
                let arm = Arm(try text("arm", request))
                let work = Arm(try text("work", request))
                guard cell.arms.contains(work) else {
                    return ["unsupported": .string("the cell \(id) has no arm \(work)")]
                }
                guard let seed = UInt64(try text("seed", request)) else {
                    throw Self.unknown
                }
                let workplace = Workplace(
                    arm: work, folder: try text("folder", request), templates: try text("templates", request),
                    seed: seed, masters: request["masters"]?.string)
                if let reason = try bench.prepare(cell, as: arm, workplace) {
                    return ["unsupported": .string(reason)]
                }
                return ["version": .string(cell.version)]
            case "run":
                return ["samples": .array(try bench.run(Arm(try text("arm", request))).map(\.json))]
            case "check":
                let check = try bench.check(Arm(try text("arm", request)))
                var answer: JSONObject = JSONObject([("digest", .string(check.digest))])
                answer["marker"] = check.marker.map { .bool($0) }
                answer["plan"] = check.plan.map { .string($0) }
                answer["memory"] = memory.growth.map { .number(JSONNumber(Int64($0))) }
                return .object(answer)
            default:
                throw Self.unknown
            }
        }

        private func text(_ name: String, _ request: JSONValue) throws(Fault) -> String {
            guard let text = request[name]?.string, !text.isEmpty else {
                throw Self.unknown
            }
            return text
        }

        private static var unknown: Fault {
            Fault(.invalidArguments, "unknown request to a benchmark worker")
        }
    }
}
