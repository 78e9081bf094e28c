import ArgumentParser
import Benchmarking
import SoupBenchmarks

/// The hidden command that `soup bench` starts for each block of measurements; it talks JSON lines with the runner.
struct BenchWorkerCommand: ParsableCommand {
    static let name = "bench-worker"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Serves a benchmark run.", shouldDisplay: false)

    func run() throws { try Worker.serve(SoupCells()) }
}
