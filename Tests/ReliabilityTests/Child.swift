import Foundation
import SQLiteAccess
import TestSupport

/// Runs `FaultChild` and returns how it ended.
struct Child {
    enum Fault: Int {
        case none, kill, fullOnce, errorOnce, fullForGood, errorForGood
    }

    let wasKilled: Bool
    /// The number of changes of files until it ended; unknown if it was killed.
    let count: Int
    /// `done`, or the code of the fault that the operation threw.
    let ending: String

    init(_ backEnd: BackEnd, _ path: String, _ operation: String, _ fault: Fault, at number: Int) throws {
        try self.init(backEnd, path, operation, kind: fault.rawValue, at: number)
    }

    init(_ backEnd: BackEnd, _ path: String, _ operation: String, kind: Int, at number: Int) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.executable)
        process.arguments = [backEnd.rawValue, path, operation, String(kind), String(number)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        wasKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == 9
        let words = text.split(separator: "\n").last?.split(separator: " ", maxSplits: 1) ?? []
        count = words.first.flatMap { Int($0) } ?? -1
        ending =
            words.count > 1
            ? String(words[1]) : wasKilled ? "killed" : "crashed with \(process.terminationStatus): \(text)"
    }

    /// Runs the program to its end, and returns its exit status and what it printed.
    static func output(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// The program next to the test bundle.
    private static let executable: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let beside = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("FaultChild").path
        return FileManager.default.isExecutableFile(atPath: beside)
            ? beside : TestData.packageRoot + "/.build/debug/FaultChild"
    }()
}
