import Benchmarking

/// Says on standard error how far a run is: one line that is written over on a terminal, else a line every 30 seconds.
final class RunProgress {
    private let isQuiet: Bool
    private let isTerminal = StandardError.isTerminal
    private var next = ContinuousClock.now + .seconds(30)
    private var isShown = false

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    func show(_ progress: Runner.Progress) {
        guard !isQuiet else { return }
        let remaining = progress.remainingSeconds.map { "about \(Figures.duration($0)) left" } ?? "no estimate yet"
        let text =
            "bench: block \(progress.doneBlocks + 1) of \(progress.allBlocks), \(Figures.duration(progress.elapsedSeconds)), \(remaining): \(progress.cellID)"
        if isTerminal {
            isShown = true
            StandardError.write("\r\u{1B}[K" + text)
        } else if ContinuousClock.now >= next {
            next = ContinuousClock.now + .seconds(30)
            StandardError.say(text)
        }
    }

    /// Removes the line from the terminal.
    func end() {
        if isShown {
            StandardError.write("\r\u{1B}[K")
        }
        isShown = false
    }
}
