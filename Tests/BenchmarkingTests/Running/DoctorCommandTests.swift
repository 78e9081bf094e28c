import Foundation
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// What cannot be measured is not a regression: the exit status 1 means only a regression.
@Suite(.serialized, .enabled(if: SoupProgram.exists, "the program soup was not built"))
struct DoctorCommandTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test func `a folder that cannot be written is wrong usage`() throws {
        #expect(TestFile.write([], to: folder.file("file")))
        let ended = try BenchProgram(folder: folder.path).run(["doctor", "--data-dir", folder.file("file")])
        #expect(
            ended.code == 2
                && ended.errors.contains("Error: inputOutput: the folder \(folder.file("file/doctor-"))"),
            "\(ended.errors)")
    }

    @Test func `Control-C leaves nothing behind`() throws {
        try Folders.make(folder.file("data"))
        let process = try BenchProgram(folder: folder.path).start(["doctor", "--data-dir", folder.file("data")])
        let made = folder.file("data/doctor-\(process.processIdentifier)")
        #expect(Waiting.block(unless: { !process.isRunning }) { Folders.exists(made) })
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
        #expect(Folders.names(in: folder.file("data")).isEmpty)
    }
}
