import Foundation
import Platform
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// What commands leave of their temporary folders: nothing when they are asked to end, and what a killed one left is
/// removed by the next one.
@Suite(.serialized, .enabled(if: SoupProgram.exists, "the program soup was not built"))
struct TemporaryFolderTests {
    let folder: TemporaryFolder
    let program: BenchProgram

    init() throws {
        folder = try TemporaryFolder()
        program = BenchProgram(folder: folder.path)
        try Folders.make(temporary)
    }

    private var temporary: String { folder.file("tmp") }
    private var left: [String] { Folders.names(in: temporary) }

    // MARK: - serve

    private struct Server {
        let process: Process
        let input: Foundation.Pipe
        let output: FileHandle

        func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }
    }

    /// Starts `soup serve` and waits until it has answered a call that writes.
    private func serve(_ name: String, _ more: [String] = []) throws -> Server {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: SoupProgram.path)
        process.arguments = ["serve"] + more
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
        let input = Foundation.Pipe()
        let output = Foundation.Pipe()
        process.standardInput = input
        process.standardOutput = output
        #expect(FileManager.default.createFile(atPath: folder.file(name), contents: nil))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file(name)))
        try process.run()
        let server = Server(process: process, input: input, output: output.fileHandleForReading)
        try server.send(
            #"{"id":1,"call":"registerSoup","args":{"soupName":"s","indexSpecs":[{"path":"k","type":"string"}]}}"#)
        #expect(!server.output.availableData.isEmpty)
        return server
    }

    private func errors(_ name: String) throws -> String {
        try String(contentsOfFile: folder.file(name), encoding: .utf8)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a server that is asked to end leaves nothing`(_ number: Int32) throws {
        let server = try serve("errors")
        #expect(left.count == 1)
        kill(server.process.processIdentifier, number)
        server.process.waitUntilExit()
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 130)
        #expect(left.isEmpty, "\(left)")
    }

    /// Calls that create files are in progress and queued when the signal comes.
    @Test(arguments: [SIGINT, SIGTERM])
    func `a server that is asked to end while it works leaves nothing`(_ number: Int32) throws {
        let server = try serve("errors")
        try server.send(
            #"{"id":2,"call":"registerSoup","args":{"soupName":"e","soupSpec":{"name":"e","features":["externalStorage"]},"indexSpecs":[{"path":"k","type":"string"}]}}"#
        )
        let upsert = #"{"id":3,"call":"upsertSoupEntries","args":{"soupName":"e","entries":[{"k":"1"}]}}"#
        // Fewer bytes than a pipe holds, so that sending never waits.
        try server.send(Array(repeating: upsert, count: 500).joined(separator: "\n"))
        #expect(!server.output.availableData.isEmpty)
        kill(server.process.processIdentifier, number)
        server.process.waitUntilExit()
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 130)
        #expect(left.isEmpty, "\(left)")
    }

    @Test func `stores in a folder that was named stay`() throws {
        let kept = folder.file("kept")
        let server = try serve("errors", ["--folder", kept])
        kill(server.process.processIdentifier, SIGTERM)
        server.process.waitUntilExit()
        #expect(server.process.terminationStatus == 130 && left.isEmpty)
        let again = try serve("again", ["--folder", kept])
        try again.send(#"{"id":2,"call":"soupExists","args":{"soupName":"s"}}"#)
        #expect(String(decoding: again.output.availableData, as: UTF8.self).contains(#""returns":true"#))
        try again.input.fileHandleForWriting.close()
        again.process.waitUntilExit()
        #expect(again.process.terminationStatus == 0 && Folders.exists(kept + "/soup-stores"))
    }

    @Test func `what a killed server left is removed and nothing else`() throws {
        let killed = try serve("killed")
        kill(killed.process.processIdentifier, SIGKILL)
        killed.process.waitUntilExit()
        let leftByIt = try #require(left.first)
        let living = try serve("living")
        #expect(
            try errors("living") == "serve: removed \(temporary)/\(leftByIt), left by a process that was killed\n")
        #expect(left.count == 1 && left.first != leftByIt)
        // Without a mark it is not ours, whatever its name is.
        try Folders.make(temporary + "/soup-conform-notes")
        let other = try serve("other")
        #expect(try errors("other").isEmpty)
        #expect(left.count == 3)
        for server in [living, other] {
            try server.input.fileHandleForWriting.close()
            server.process.waitUntilExit()
            #expect(server.process.terminationStatus == 0)
        }
        #expect(left == ["soup-conform-notes"])
    }

    /// A process chooses between them by the free memory.
    @Test func `what a killed server left is found in memory and on the disk`() throws {
        let name = "soup-conform-" + UUID().uuidString
        let parents = ["/dev/shm", "/tmp"].filter(FileManager.default.isWritableFile)
        for parent in parents {
            try Folders.make(parent + "/" + name)
            _ = try FolderMark(marking: parent + "/" + name)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: SoupProgram.path)
        process.arguments = ["serve"]
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "TMPDIR" }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(parents.filter { Folders.exists($0 + "/" + name) }.isEmpty)
    }

    // MARK: - conform

    @Test(arguments: [SIGINT, SIGTERM])
    func `conforming that is asked to end leaves nothing`(_ number: Int32) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: SoupProgram.path)
        process.arguments = ["conform", "--backend", "plain", TestData.packageRoot + "/Corpora"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(Waiting.block(unless: { !process.isRunning }) { !left.isEmpty })
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        #expect(left.isEmpty, "\(left)")
    }

    // MARK: - bench

    @Test func `only marked data folders of ended runs are removed`() throws {
        for name in ["data-1", "data-2", "data-3", "doctor-4", "data-5x", "notes"] {
            try Folders.make(temporary + "/" + name)
        }
        let living = try FolderMark(marking: temporary + "/data-1")
        for name in ["data-3", "doctor-4", "data-5x", "notes"] {
            _ = try FolderMark(marking: temporary + "/" + name)
        }
        try Data(count: 1000).write(to: URL(fileURLWithPath: temporary + "/data-3/file"))
        let removed = LeftOverData.remove(nextTo: temporary + "/data-9")
        #expect(removed.map(\.path) == [temporary + "/data-3", temporary + "/doctor-4"])
        #expect(removed.first?.bytes == 1000)
        #expect(left == ["data-1", "data-2", "data-5x", "notes"])
        #expect(FolderMark(leftOver: temporary + "/data-1") == nil)
        #expect(throws: SystemError.self) { try FolderMark(marking: temporary + "/data-1") }
        withExtendedLifetime(living) {}
    }

    @Test func `a run removes the data of one that was killed`() throws {
        let run = RunFolder(path: folder.file("run"))
        let process = try program.start(program.bench(["--output", run.path]))
        try program.wait(for: 1, in: run, of: process)
        let data = folder.file("data-\(process.processIdentifier)")
        #expect(Folders.exists(data))
        // The run is alive, so its folder stays.
        #expect(LeftOverData.remove(nextTo: folder.file("data-0")).isEmpty)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(Folders.exists(data))
        // Its worker ends by itself, and holds the folder until then.
        #expect(Waiting.block { FolderMark(leftOver: data) != nil })
        let next = try program.run(program.bench(["--output", folder.file("next")]))
        #expect(next.code == 0 && next.errors.contains("bench: removed \(data) ("), "\(next.errors)")
        #expect(Folders.names(in: folder.path).allSatisfy { !$0.hasPrefix("data-") })
    }
}
