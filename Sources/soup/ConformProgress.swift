import Conformance

/// Shows the progress of a run on standard error, once it has taken longer than two seconds.
final class ConformProgress {
    private let total: Int
    private var backend = ""
    private var done = 0
    private var red = 0
    private var next = ContinuousClock.now + .seconds(2)

    /// Takes the number of cases on each back end.
    init(total: Int) { self.total = total }

    func begin(_ backend: String) {
        self.backend = backend
        (done, red) = (0, 0)
    }

    func step(_ result: CaseResult) {
        done += 1
        if result.status.isRed {
            red += 1
        }
        guard ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + .seconds(2)
        StandardError.say("conform: \(backend): \(done) of \(total) cases, \(red) red")
    }
}
