import Benchmarking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Says on standard error how far a run is: one line that is written over on a terminal, else a line every 30 seconds.
final class RunProgress {
    private let isQuiet: Bool
    private let isTerminal = isatty(2) == 1
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
            Self.write("\r\u{1B}[K" + text)
        } else if ContinuousClock.now >= next {
            next = ContinuousClock.now + .seconds(30)
            StandardError.say(text)
        }
    }

    /// Removes the line from the terminal.
    func end() {
        if isShown {
            Self.write("\r\u{1B}[K")
        }
        isShown = false
    }

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            #if canImport(Glibc)
            _ = Glibc.write(2, bytes.baseAddress, bytes.count)
            #elseif canImport(Musl)
            _ = Musl.write(2, bytes.baseAddress, bytes.count)
            #else
            _ = Darwin.write(2, bytes.baseAddress, bytes.count)
            #endif
        }
    }
}
