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
    /// Called after each case, from one thread at a time.
    public var progress: @Sendable (CaseResult) -> Void = { _ in }

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
        run(onEqual: [arm], expected: expected, isRequired: isRequired)
    }

    /// Runs every case once on one of several arms that stand for the same back end. Each arm has a thread of its own;
    /// the results are the same, and in the same order, as with one arm.
    ///
    /// - Parameter comparesBytes: Whether passed cases must have the same bytes as on the first back end that passed
    ///   them. Another implementation may choose where the contract leaves a choice.
    public func run(
        onEqual arms: [Arm], expected: ExpectedFailures = ExpectedFailures(), isRequired: Bool = false,
        comparesBytes: Bool = true
    ) {
        guard let name = arms.first?.name else { return }
        let work = CaseQueue(
            files: files, name: name, expected: expected, isRequired: isRequired,
            reference: comparesBytes ? reference : nil, progress: progress)
        work.run(on: arms)
        let rows = work.results
        // Expected failures cannot be checked if no case could run.
        let isChecked = work.isAvailable || rows.contains(where: \.status.isExecuted)
        results += isChecked ? expected.addingNeverRan(to: rows, backEnd: name) : rows
    }
}
