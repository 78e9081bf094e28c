import Conformance
import Testing

/// Runs the drivers that others start from on the cases that they are meant to pass.
@Suite struct SkeletonDriverTests {
    @Test(arguments: [("python3", "skeleton.py"), ("node", "skeleton.mjs")])
    func `passes the first steps`(program: String, script: String) throws {
        let command = "\(program) \(Corpora.folder)/drivers/\(script)"
        guard let arm = try? DriverBackEnd.arm(command: command) else {
            try Test.cancel("\(program) is not here")
        }
        let run = ConformanceRun(files: try Corpora.read("first-steps.json"))
        run.run(on: arm, isRequired: true)
        #expect(run.results.count == 10)
        #expect(ConformanceReport(run.results).redLines == [])
        #expect(run.results.allSatisfy { $0.status == .pass })
    }
}
