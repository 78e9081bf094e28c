import Foundation

/// Runs a script of `ci/peers` with python3 and gives it bytes: an independent reader to compare with.
///
/// Tests that need it are skipped loudly if it is absent: `.enabled(if: PythonPeer.isPresent, PythonPeer.skipComment)`.
public enum PythonPeer {
    public static let skipComment = "python3 is absent: nothing independent to compare with"
    public static let isPresent = find() != nil

    private static func find() -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        return path.split(separator: ":").map { $0 + "/python3" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    public struct Failure: Error { public let status: Int32 }

    /// The lines that the script prints for these bytes on its standard input.
    public static func lines(of script: String, arguments: [String] = [], input: [UInt8]) throws -> [String] {
        let folder = try TemporaryFolder()
        let inputFile = folder.file("input")
        let outputFile = folder.file("output")
        try Data(input).write(to: URL(filePath: inputFile))
        try Data().write(to: URL(filePath: outputFile))
        let process = Process()
        process.executableURL = URL(filePath: find() ?? "/usr/bin/python3")
        process.arguments = [TestData.packageRoot + "/ci/peers/" + script] + arguments
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: inputFile))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: outputFile))
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus)
        }
        let output = try Data(contentsOf: URL(filePath: outputFile))
        return String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true).map(
            String.init)
    }
}
