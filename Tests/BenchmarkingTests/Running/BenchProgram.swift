import Foundation
import TestSupport
import Testing

@testable import Benchmarking

/// Runs the built program's commands as a user would, with small cells, in a folder of their own.
struct BenchProgram {
    /// The folder for everything that is written.
    let folder: String

    /// The control and one cell, three pairs each, in less than a second a block.
    static let small = ["--profile", "smoke", "--filter", "match-rare/", "--pairs", "3", "--commit", "c"]

    struct Ended {
        let code: Int32
        let output: String
        let errors: String
    }

    func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: SoupProgram.path)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// `soup bench` with `small`, and the folders that belong to it.
    func bench(_ more: [String]) -> [String] {
        ["bench"] + Self.small + ["--data-dir", folder, "--allow-tmpfs", "--costs", folder + "/no-reports"] + more
    }

    /// Runs the program, or another one, to its end.
    func run(
        _ arguments: [String], of executable: String = SoupProgram.path, environment: [String: String] = [:]
    ) throws -> Ended {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // Files instead of pipes, because two pipes would have to be read at the same time.
        let names = ["output", "errors"].map { folder + "/" + $0 + ".txt" }
        for name in names {
            #expect(FileManager.default.createFile(atPath: name, contents: nil))
        }
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: names[0]))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: names[1]))
        try process.run()
        process.waitUntilExit()
        let texts = try names.map { try String(contentsOfFile: $0, encoding: .utf8) }
        return Ended(code: process.terminationStatus, output: texts[0], errors: texts[1])
    }

    /// Waits until a run has written this number of whole blocks.
    func wait(for blocks: Int, in run: RunFolder, of process: Process) throws {
        let isWritten = Waiting.block(unless: { !process.isRunning }) {
            guard let samples = try? run.wholeSamples() else { return false }
            return samples.count(where: { $0.remark == .blockTime }) >= blocks
        }
        #expect(isWritten, "the run ended before it wrote \(blocks) blocks")
    }
}
