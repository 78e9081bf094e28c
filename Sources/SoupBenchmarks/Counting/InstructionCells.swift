import Benchmarking
import OfflineStore
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Counts the instructions and allocations of hot paths: exact counters where the clock cannot be trusted. They depend
/// on the compiler, the libraries and the processor's instruction sets, and are compared only where these are the same.
enum InstructionCells: CellSource {
    /// Work without a store.
    private static let computing: Arm = "ours"

    static func cells(_ scope: CellScope) -> [Cell] {
        // The smallest profile runs inside tests, which are not the program that Valgrind can start.
        guard scope.documents == nil, scope.profile.name != .smoke else {
            return []
        }
        return CountedWork.allCases.map { work in
            Cell(
                "instructions", ["work": work.rawValue], revision: 1, summary: work.summary,
                arms: [work.usesStore ? .plain : computing], comparisons: [], style: .counted, primary: .instructions,
                pairs: 1
            ) { _, workplace in
                try CountedSubject(work, workplace)
            }
        }
    }
}

/// The counts of one work. All works of an arm are counted together by the first cell of a run that asks.
private final class CountedSubject: Subject {
    private let cost: Callgrind.Cost

    init(_ work: CountedWork, _ workplace: Workplace) throws {
        let works = CountedWork.all(storing: work.usesStore)
        let filled = work.usesStore ? try CountedRun.corpus(seed: workplace.seed).filled(workplace) : nil
        let folder = try workplace.template("instructions") { folder in
            let costs = try Callgrind.costs(
                executable: try Self.program(), filled: filled, folder: folder, seed: workplace.seed)
            let lines = works.map { work in
                ((costs[work]?.instructions ?? []) + (costs[work]?.allocations ?? [])).map { String($0) }.joined(
                    separator: ",")
            }
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/costs"))
        }
        let text = String(decoding: try Data(contentsOf: URL(filePath: folder + "/costs")), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
        guard let index = works.firstIndex(of: work), index < lines.count, lines[index].count == 4 else {
            throw Fault(.inputOutput, "the counts of \(work.rawValue) cannot be read")
        }
        cost = Callgrind.Cost(
            instructions: Array(lines[index].prefix(2)), allocations: Array(lines[index].suffix(2)))
        guard cost.spread <= Callgrind.largestSpread else {
            let counts = cost.instructions.map { String($0) }.joined(separator: " and ")
            throw Fault(
                .unsupported, "two counts of the instructions of \(work.rawValue) differ by over 0.1 %: \(counts)")
        }
    }

    /// The program that is running, which Valgrind starts again.
    private static func program() throws(Fault) -> String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            throw Fault(.unsupported, "instructions are not counted where /proc does not name the running program")
        }
    }

    func run(_ watch: Stopwatch) throws -> Int { 1 }
    func digest(into digest: inout ContentDigest) throws {}

    func counters() throws -> [(Metric, Int)] {
        [
            (.instructions, cost.instructions.min() ?? 0), (.allocations, cost.allocations.min() ?? 0),
        ]
    }
}
