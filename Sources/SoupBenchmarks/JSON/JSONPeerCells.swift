import Benchmarking
import JSONText
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Compares finding values at paths with JSONSerialization, which is part of the large Foundation and therefore runs in
/// a process of its own.
///
/// `SOUP_JSON_SERIALIZATION` names the program (`ci/peers/json-serialization` builds it and prints its path); without
/// it there are no such cells. Both sides generate the documents from the seed, so that a request is one line, whose
/// cost is negligible.
enum JSONPeerCells: CellSource {
    private static let ours: Arm = "ours"
    private static let peer: Arm = "json-serialization"
    private static let count = 200
    /// Rounds over the documents in one measurement, which take the peer tens of milliseconds.
    private static let times = 20
    /// Shapes whose paths lead to one value each, and the design's claim about them.
    private static let shapes: [(JSONShape, claim: Double?)] = [(.text, 10), (.dense, 10), (.payload, nil)]

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil, let program = ProcessInfo.processInfo.environment["SOUP_JSON_SERIALIZATION"],
            !program.isEmpty
        else {
            return []
        }
        return shapes.map { shape, claim in cell(shape, claim: claim, program) }
    }

    private static func cell(_ shape: JSONShape, claim: Double?, _ program: String) -> Cell {
        Cell(
            "json-peer", ["shape": shape.name, "paths": String(shape.paths.count)], revision: 1,
            summary: "finds the values of index paths in \(count) documents of about 1 KB, \(times) times",
            arms: [ours, peer], comparisons: [.init(ours, peer)],
            claims: claim.map {
                [
                    Claim(
                        "JSON-projection-\(shape.name)",
                        "finding \(shape.paths.count) paths in \(shape.name) documents is \(Int($0)) times faster than JSONSerialization",
                        backend: "none", .slower(base: ours, arm: peer, atLeast: $0))
                ]
            } ?? []
        ) { arm, workplace in
            arm.work == peer
                ? try asking(program, shape, workplace.seed) : projecting(shape, workplace.seed)
        }
    }

    private static func asking(_ program: String, _ shape: JSONShape, _ seed: UInt64) throws -> Computation {
        let process = try WorkerProcess(executable: program, arguments: ["serve"], padding: 0)
        let request: JSONValue = [
            "shape": .string(shape.name), "documents": .number(JSONNumber(Int64(count))), "seed": .string(String(seed)),
            "times": .number(JSONNumber(Int64(times))),
        ]
        var found = (values: 0, bytes: 0)
        return Computation(isInAnotherProcess: true) {
            let answer = try process.ask(request)
            found = (Int(answer["values"]?.int64 ?? 0), Int(answer["bytes"]?.int64 ?? 0))
            return count * times
        } answer: {
            add(found, to: &$0)
        }
    }

    private static func projecting(_ shape: JSONShape, _ seed: UInt64) -> Computation {
        let documents = shape.documents(count, seed: seed)
        let projection = JSONProjection(paths: JSONPathSet(shape.paths))
        var found = (values: 0, bytes: 0)
        return Computation {
            for _ in 0..<times {
                found = (0, 0)
                for document in documents {
                    try document.withUnsafeBytes { bytes in
                        try projection.read(bytes)
                        for path in shape.paths.indices {
                            guard let text = projection.text(of: path) else { continue }
                            found.values += 1
                            found.bytes += text.count
                        }
                    }
                }
            }
            return count * times
        } answer: {
            add(found, to: &$0)
        }
    }

    private static func add(_ found: (values: Int, bytes: Int), to digest: inout ContentDigest) {
        digest.add(found.values)
        digest.add(found.bytes)
    }
}
