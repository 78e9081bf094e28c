/// Runs vector files on back ends, one after the other, and collects the results.
///
/// A back end that crashed or hangs is abandoned, and a new one is created for the next case. Expected failures are
/// applied, and the results of several back ends are compared byte for byte. Not for concurrent use.
public final class ConformanceRun {
    /// A factory of a back end, which is called again if the back end is lost. Its name is used in the report if the
    /// back end cannot be created.
    public struct Arm {
        public let name: String
        let make: () throws(UnavailableBackEnd) -> any CallBackEnd

        public init(name: String, make: @escaping () throws(UnavailableBackEnd) -> any CallBackEnd) {
            self.name = name
            self.make = make
        }
    }

    public let files: [VectorFile]
    /// The results so far, in the order of files and cases for each back end.
    public private(set) var results: [CaseResult] = []
    /// Called after each case.
    public var progress: (CaseResult) -> Void = { _ in }

    private let reference: ReferenceResults

    /// Creates a run of vector files. Runs that are compared with each other share `reference`.
    public init(files: [VectorFile], reference: ReferenceResults = ReferenceResults()) {
        self.files = files
        self.reference = reference
    }

    public var caseCount: Int { files.reduce(0) { $0 + $1.cases.count } }

    /// Runs every case on one back end.
    ///
    /// If the back end cannot be created, each case gets the status `skip` with the reason, or `error` if `isRequired`
    /// is true.
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
        // Expected failures cannot be checked if no case could run.
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

    /// Compares the bytes of a passed case with those of the first back end that passed it.
    private func compare(_ outcome: inout CaseRunner.Outcome, of vectorCase: VectorCase, on name: String) {
        guard let difference = reference.difference(of: outcome.results, case: vectorCase.id, backEnd: name) else {
            return
        }
        outcome.status = .fail
        outcome.detail = difference
    }
}
