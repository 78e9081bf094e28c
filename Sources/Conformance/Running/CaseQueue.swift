import Dispatch
import Platform
import Synchronization

/// The cases of a run on one back end, which several threads take one by one. Safe to share between threads.
final class CaseQueue: Sendable {
    private struct State {
        var next = 0
        var rows: [CaseResult?]
        /// The reason why the back end cannot be created.
        var reason: String?
    }

    private let cases: [(area: String, vectorCase: VectorCase)]
    private let name: String
    private let expected: ExpectedFailures
    private let isRequired: Bool
    /// nil if bytes are not compared.
    private let reference: ReferenceResults?
    private let progress: @Sendable (CaseResult) -> Void
    private let state: Mutex<State>

    init(
        files: [VectorFile], name: String, expected: ExpectedFailures, isRequired: Bool, reference: ReferenceResults?,
        progress: @escaping @Sendable (CaseResult) -> Void
    ) {
        cases = files.flatMap { file in file.cases.map { (file.area, $0) } }
        self.name = name
        self.expected = expected
        self.isRequired = isRequired
        self.reference = reference
        self.progress = progress
        state = Mutex(State(rows: Array(repeating: nil, count: cases.count)))
    }

    /// The results in the order of the cases.
    var results: [CaseResult] { state.withLock { $0.rows.compactMap { $0 } } }

    /// Whether the back end could be created whenever that was tried.
    var isAvailable: Bool { state.withLock { $0.reason == nil } }

    /// Runs all cases; each arm is used by one thread. Without threads the first arm runs them all.
    func run(on arms: [ConformanceRun.Arm]) {
        let group = DispatchGroup()
        for arm in arms.dropFirst() {
            let taken = TakenArm(arm)
            group.enter()
            do {
                try DetachedThread.start { [self] in
                    work(on: taken.arm)
                    group.leave()
                }
            } catch {
                group.leave()
            }
        }
        if let first = arms.first {
            work(on: first)
        }
        group.wait()
    }

    /// Hands an arm to a thread. `@unchecked Sendable`: only that thread uses it.
    private final class TakenArm: @unchecked Sendable {
        let arm: ConformanceRun.Arm
        init(_ arm: ConformanceRun.Arm) { self.arm = arm }
    }

    private func work(on arm: ConformanceRun.Arm) {
        var backEnd: (any CallBackEnd)?
        defer { backEnd?.close() }
        while let index = takeNext() {
            let (area, vectorCase) = cases[index]
            if backEnd == nil, isAvailable {
                do { backEnd = try arm.make() } catch {
                    state.withLock { $0.reason = error.reason }
                }
            }
            guard let running = backEnd else {
                let reason = state.withLock { $0.reason }
                let row = CaseResult(
                    id: vectorCase.id, area: area, backEnd: name, status: isRequired ? .error : .skip,
                    detail: reason ?? "not available")
                finish(row, at: index)
                continue
            }
            let (result, isLost) = run(vectorCase, area: area, on: running)
            finish(expected.applied(to: result), at: index)
            if isLost {
                running.close()
                backEnd = nil
            }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard state.next < cases.count else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    private func finish(_ row: CaseResult, at index: Int) {
        state.withLock { state in
            state.rows[index] = row
            progress(row)
        }
    }

    private func run(
        _ vectorCase: VectorCase, area: String, on backEnd: any CallBackEnd
    ) -> (CaseResult, isLost: Bool) {
        let clock = ContinuousClock()
        let start = clock.now
        var outcome = CaseRunner(backEnd: backEnd).run(vectorCase)
        let elapsed = clock.now - start
        // The bytes of a case that passed are compared with those of the first back end that passed it.
        if outcome.status == .pass,
            let difference = reference?.difference(of: outcome.results, case: vectorCase.id, backEnd: name)
        {
            outcome.status = .fail
            outcome.detail = difference
        }
        let milliseconds = Double(elapsed.components.seconds) * 1000 + Double(elapsed.components.attoseconds) / 1e15
        let result = CaseResult(
            id: vectorCase.id, area: area, backEnd: name, status: outcome.status, code: outcome.code,
            detail: outcome.detail, milliseconds: milliseconds)
        return (result, outcome.isLost)
    }
}
