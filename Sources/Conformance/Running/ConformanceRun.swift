/// Runs vector files on back ends, one after the other, and gathers the rows of the report.
///
/// A back end that crashed or hangs is given up and made anew for the next case. The expected failures are applied, and
/// what ran on several back ends is compared byte for byte. Not for concurrent use.
public final class ConformanceRun {
    /// Makes a back end; it is called again when one is lost. The description is for the report where it cannot be
    /// made.
    public struct Arm {
        public let name: String
        let make: () throws(UnavailableBackEnd) -> any CallBackEnd

        public init(name: String, make: @escaping () throws(UnavailableBackEnd) -> any CallBackEnd) {
            self.name = name
            self.make = make
        }
    }

    public let files: [VectorFile]
    /// The rows so far: file by file and case by case within a back end.
    public private(set) var results: [CaseResult] = []
    /// Called after each case.
    public var progress: (CaseResult) -> Void = { _ in }

    private let reference: ReferenceResults

    /// Takes the files, and where several runs are to be compared with each other the results that they share.
    public init(files: [VectorFile], reference: ReferenceResults = ReferenceResults()) {
        self.files = files
        self.reference = reference
    }

    public var caseCount: Int { files.reduce(0) { $0 + $1.cases.count } }

    /// Runs every case on one back end.
    ///
    /// Where it cannot be made, each case is a row: `skip` with the reason, or `error` where `isRequired` says that it
    /// must be there.
    public func run(on arm: Arm, expected: ExpectedFailures = ExpectedFailures(), isRequired: Bool = false) {
        var backEnd: (any CallBackEnd)?
        var reason: String?
        var rows: [CaseResult] = []
        for file in files {
            for vectorCase in file.cases {
                if backEnd == nil, reason == nil {
                    do { backEnd = try arm.make() } catch { reason = error.reason }
                }
                let row: CaseResult
                if let running = backEnd {
                    let (result, isLost) = run(vectorCase, of: file, on: running, named: arm.name)
                    row = expected.applied(to: result)
                    if isLost {
                        running.close()
                        backEnd = nil
                    }
                } else {
                    row = CaseResult(
                        id: vectorCase.id, area: file.area, backEnd: arm.name, status: isRequired ? .error : .skip,
                        detail: reason ?? "not available")
                }
                rows.append(row)
                progress(row)
            }
        }
        backEnd?.close()
        results += rows
        // Nothing can be said of expected failures where no case could run at all.
        if reason == nil || rows.contains(where: \.status.isExecuted) {
            results += expected.neverRan(in: rows, backEnd: arm.name)
        }
    }

    private func run(
        _ vectorCase: VectorCase, of file: VectorFile, on backEnd: any CallBackEnd, named name: String
    ) -> (CaseResult, isLost: Bool) {
        let clock = ContinuousClock()
        let start = clock.now
        var outcome = CaseRunner(backEnd: backEnd).run(vectorCase)
        let elapsed = clock.now - start
        if outcome.status == .pass {
            compare(&outcome, of: vectorCase, on: name)
        }
        let milliseconds = Double(elapsed.components.seconds) * 1000 + Double(elapsed.components.attoseconds) / 1e15
        let result = CaseResult(
            id: vectorCase.id, area: file.area, backEnd: name, status: outcome.status, code: outcome.code,
            detail: outcome.detail,
            milliseconds: milliseconds)
        return (result, outcome.isLost)
    }

    /// Holds the bytes of a passed case against those of the first back end that passed it.
    private func compare(_ outcome: inout CaseRunner.Outcome, of vectorCase: VectorCase, on name: String) {
        guard let difference = reference.difference(of: outcome.results, case: vectorCase.id, backEnd: name) else {
            return
        }
        outcome.status = .fail
        outcome.detail = difference
    }
}
