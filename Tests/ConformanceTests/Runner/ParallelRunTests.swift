import Conformance
import SQLiteAccess
import Testing

/// Runs cases on several arms that stand for the same back end.
@Suite struct ParallelRunTests {
    private static let files = ["first-steps.json", "query/paging.json"]

    private func results(jobs: Int) throws -> [CaseResult] {
        let run = ConformanceRun(files: try Self.files.flatMap(Corpora.read))
        run.run(onEqual: (0..<jobs).map { _ in ConformanceRun.Arm(store: .plain) }, isRequired: true)
        return run.results
    }

    @Test func `several jobs give the same results in the same order`() throws {
        let one = try results(jobs: 1)
        let four = try results(jobs: 4)
        #expect(try one.count == Self.files.flatMap(Corpora.read).reduce(0) { $0 + $1.cases.count })
        #expect(four.map(\.id) == one.map(\.id))
        #expect(four.map(\.status) == one.map(\.status))
    }

    @Test func `back end that is missing is reported once for each case`() throws {
        let run = ConformanceRun(files: try Corpora.read("first-steps.json"))
        let arms = (0..<3).map { _ in
            ConformanceRun.Arm(name: "none") { () throws(UnavailableBackEnd) in
                throw UnavailableBackEnd(reason: "not here")
            }
        }
        run.run(onEqual: arms, isRequired: true)
        #expect(run.results.map(\.status) == Array(repeating: .error, count: 10))
        #expect(run.results.allSatisfy { $0.detail == "not here" })
    }
}
