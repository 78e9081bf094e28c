import Benchmarking
import Platform
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Counts the instructions and allocations of works by running this program under Valgrind's Callgrind.
///
/// Hashing is deterministic and the environment the same, so that two counts of one build agree to the instruction, or
/// nearly so.
struct Callgrind {
    /// What one unit of a work costs, as two processes counted it.
    struct Cost: Equatable {
        var instructions: [Int] = []
        var allocations: [Int] = []

        /// How far the two counts of instructions are apart, as a share.
        var spread: Double {
            guard let least = instructions.min(), let most = instructions.max(), least > 0 else { return 0 }
            return Double(most - least) / Double(least)
        }
    }

    /// Counts that are farther apart do not repeat, and are not compared with anything.
    static let largestSpread = 0.001

    /// The path of the first of some commands, which are looked for where commands are.
    ///
    /// - Throws: `unsupported` with what to install if there is none of them.
    private static func command(_ names: String..., package: String) throws(Fault) -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
        guard let found = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw Fault(.unsupported, "instructions are not counted without \(names[0]): apt-get install \(package)")
        }
        return found
    }

    /// A copy of the program without the debug information, whose newest form Valgrind cannot read. Names of functions
    /// stay.
    private static func stripped(_ executable: String, in folder: String) throws -> String {
        let objcopy = try command("objcopy", "llvm-objcopy", package: "binutils")
        let copy = folder + "/soup"
        guard try start(objcopy, ["--strip-debug", executable, copy]).wait() == .exited(code: 0) else {
            throw Fault(.inputOutput, "\(objcopy) cannot copy \(executable) without its debug information")
        }
        return copy
    }

    /// Counts the works in two processes at the same time. Their files are in `folder`, and are removed.
    ///
    /// - Parameters:
    ///   - executable: The program `soup`.
    ///   - filled: A folder with a store of `CountedRun.entries` documents; nil for works without a store.
    static func costs(
        executable: String, filled: String?, folder: String, seed: UInt64
    ) throws -> [CountedWork: Cost] {
        let valgrind = try command("valgrind", package: "valgrind")
        let program = try stripped(executable, in: folder)
        defer { try? Folders.remove(program) }
        let works = CountedWork.all(storing: filled != nil)
        let folders = ["a", "b"].map { folder + "/" + $0 }
        let processes = try folders.map { own in
            try Folders.make(own)
            if let filled {
                try Folders.copy(filled, to: own + "/store")
            }
            return try start(
                valgrind,
                [
                    "--tool=callgrind", "--callgrind-out-file=\(own)/counts", "--log-file=\(own)/log",
                    "--zero-before=*\(CountedRun.beginning)*", "--dump-before=*\(CountedRun.end)*", program,
                    CountedRun.command, "--folder", own + "/store", "--seed", String(seed),
                ] + (filled == nil ? [] : ["--storing"]))
        }
        var costs = Dictionary(uniqueKeysWithValues: works.map { ($0, Cost()) })
        for (process, own) in zip(processes, folders) {
            guard process.wait() == .exited(code: 0) else {
                throw Fault(.inputOutput, "counting under valgrind failed: \(text(own + "/log").prefix(2_000))")
            }
            for (index, work) in works.enumerated() {
                let once = try count(own, 2 * index + 1)
                let twice = try count(own, 2 * index + 2)
                costs[work]?.instructions.append((twice.instructions - once.instructions) / work.times)
                costs[work]?.allocations.append((twice.allocations - once.allocations) / work.times)
            }
            try Folders.remove(own)
        }
        return costs
    }

    private static func start(_ program: String, _ arguments: [String]) throws(Fault) -> ChildProcess {
        do throws(SystemError) {
            return try ChildProcess(
                program, arguments, adding: ["SWIFT_DETERMINISTIC_HASHING": "1", "SOUP_BENCH_PADDING": ""])
        } catch {
            throw Fault(.inputOutput, "\(program) cannot be started: \(error.reason)")
        }
    }

    /// The counts of a region, by its number from 1.
    private static func count(_ folder: String, _ number: Int) throws(Fault) -> (instructions: Int, allocations: Int) {
        let file = CallgrindFile(bytes("\(folder)/counts.\(number)"))
        guard let instructions = file.instructions else {
            throw Fault(.inputOutput, "valgrind wrote no counts of the region \(number)")
        }
        return (instructions, file.allocations)
    }

    private static func bytes(_ path: String) -> [UInt8] {
        (try? Data(contentsOf: URL(filePath: path))).map { [UInt8]($0) } ?? []
    }

    private static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}
