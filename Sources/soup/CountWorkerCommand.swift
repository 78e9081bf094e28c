import ArgumentParser
import SoupBenchmarks

/// The hidden command that `soup bench` starts under Valgrind to count instructions.
struct CountWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: CountedRun.command, abstract: "Does work whose instructions are counted.", shouldDisplay: false)

    @Option var folder: String
    @Option var seed: String
    @Flag var storing = false

    func run() throws { try CountedRun.serve(storing: storing, folder: folder, seed: seed) }
}
