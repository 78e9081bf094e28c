import Foundation
import SQLiteAccess
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// What Valgrind counts, and what reads its counts.
struct CountedRunTests {
    /// Two regions as Callgrind writes them: a name is written once, and then only its number.
    private static let counts = """
        version: 1
        events: Ir
        fn=(1) countingEnds
        12 40
        cfn=(2) malloc
        calls=3 0
        12 90
        cfn=(3) free
        calls=7 0
        12 90
        fn=(4) work
        cfn=(2)
        calls=4 0
        14 200
        cfn=(5) calloc
        calls=1 0
        14 200
        totals: 12345

        """

    @Test func `instructions and calls of allocators are read from counts`() {
        let file = CallgrindFile(Array(Self.counts.utf8))
        #expect(file.instructions == 12_345 && file.allocations == 8)
        #expect(CallgrindFile([]).instructions == nil)
    }

    @Test func `two counts that are apart by a thousandth do not repeat`() {
        #expect(
            Callgrind.Cost(instructions: [100_000, 100_100], allocations: [1, 1]).spread <= Callgrind.largestSpread)
        #expect(
            Callgrind.Cost(instructions: [100_000, 100_200], allocations: [1, 1]).spread > Callgrind.largestSpread)
    }

    @Test func `a fuller profile counts every work and the tests' own does not`() {
        func cells(_ profile: Profile.Name) -> [Cell] {
            SoupCells().cells(CellScope(profile: Profile(profile))).filter { $0.workload == "instructions" }
        }
        #expect(cells(.quick).count == CountedWork.allCases.count && cells(.smoke).isEmpty)
        #expect(cells(.quick).allSatisfy { $0.isInQuickProfile })
    }

    @Test(.enabled(if: SoupProgram.exists, "the program soup was not built"), arguments: [true, false])
    func `the program does the works that are counted`(storing: Bool) throws {
        let folder = try TemporaryFolder()
        let workplace = Workplace(
            arm: .plain, folder: folder.file("block"), templates: folder.file("templates"), seed: 1)
        var arguments = [CountedRun.command, "--folder", "none", "--seed", "1"]
        if storing {
            arguments[2] = try CountedRun.corpus(seed: 1).filled(workplace)
            arguments.append("--storing")
        }
        let ended = try BenchProgram(folder: folder.path).run(arguments)
        #expect(ended.code == 0, "\(ended.errors)")
    }
}
