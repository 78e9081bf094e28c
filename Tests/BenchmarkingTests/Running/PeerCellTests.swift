import Foundation
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// The store next to a peer of another library. (GRDB is built by `ci/peers/compare` only.)
@Suite(.serialized, .enabled(if: SoupProgram.exists, "the program soup was not built"))
struct PeerCellTests {
    private static let peer: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(4)
        return parts.joined(separator: "/") + "/ci/peers/python-sqlite3/peer"
    }()

    private static func bench(
        _ folder: TemporaryFolder, peer: String, cells: String = "^peer-exact"
    ) throws -> BenchProgram.Ended {
        try BenchProgram(folder: folder.path).run(
            [
                "bench", "--profile", "smoke", "--filter", cells, "--pairs", "1", "--sizes", "600", "--commit", "c",
                "--data-dir", folder.file("data"), "--allow-tmpfs", "--costs", folder.file("none"), "--all",
                "--output", folder.file("run"),
            ], environment: ["SOUP_PEER_PYTHON": peer])
    }

    @Test func `there are no peer cells unless a peer is named`() {
        #expect(!SmokeTests.cells.contains { $0.workload.hasPrefix("peer-") })
    }

    @Test func `the store and Python give the same answers to all works`() throws {
        let folder = try TemporaryFolder()
        let ended = try Self.bench(folder, peer: Self.peer, cells: "^peer-")
        #expect(ended.code == 0 && !ended.output.contains("INVALID"), "\(ended.output)\(ended.errors)")
        let rows = try RunFolder(path: folder.file("run")).rows()
        for work in PeerWork.allCases {
            #expect(
                rows.contains {
                    $0.workload == "peer-" + work.rawValue && $0.arm == "python" && $0.isDigestSame == true
                }, "\(work)")
        }
    }

    @Test func `a peer with other settings is refused`() throws {
        let folder = try TemporaryFolder()
        let careless = folder.file("peer")
        let script = try String(contentsOf: URL(filePath: Self.peer), encoding: .utf8)
        try script.replacingOccurrences(of: "synchronous = FULL", with: "synchronous = OFF").write(
            to: URL(filePath: careless), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: careless)
        let ended = try Self.bench(folder, peer: careless)
        #expect(ended.code == 3 && ended.output.contains("does not work with the settings of the store"))
    }

    @Test func `an answer that differs in one member is not counted as a pair`() throws {
        let folder = try TemporaryFolder()
        let wrong = folder.file("peer")
        let script = try String(contentsOf: URL(filePath: Self.peer), encoding: .utf8)
        try script.replacingOccurrences(of: "for row in self.found)", with: "for row in self.found[1:])").write(
            to: URL(filePath: wrong), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: wrong)
        let ended = try Self.bench(folder, peer: wrong)
        #expect(ended.code == 3 && ended.output.contains("ours and python answer differently"))
    }
}
