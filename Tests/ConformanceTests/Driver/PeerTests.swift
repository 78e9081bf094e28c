import Conformance
import TestSupport
import Testing

/// Runs the vectors on the store in Python. It shares no code with this package, so vectors that both pass are likely
/// to be right.
@Suite(.enabled(if: Peer.isHere, "python3 is not here")) struct PeerTests {

    /// The vectors that apply to every store of this kind; ci/conform runs all vectors.
    private static let paths = [
        "store", "query/kinds.json", "query/paging.json", "smart-sql/basics.json", "full-text/basics.json",
    ]

    private func run(_ command: String, paths: [String] = paths) throws -> [CaseResult] {
        let files = try VectorFolder(paths: paths.map { Corpora.folder + "/" + $0 }).files
        let run = ConformanceRun(files: files)
        run.run(
            on: try DriverBackEnd.arm(command: command), expected: try Corpora.expected("sqlite-peer", in: files),
            isRequired: true)
        return run.results
    }

    @Test func `vectors pass on a store that shares no code`() throws {
        let results = try run(Peer.driver)
        let report = ConformanceReport(results)
        #expect(report.redLines == [])
        #expect(results.filter { $0.status == .pass }.count >= 300)
        // No case of these files may be skipped.
        for file in [
            "store/registration.json", "store/entries.json", "store/external-ids.json", "query/kinds.json",
            "query/paging.json",
        ] {
            let ids = Set(try Corpora.read(file).flatMap(\.cases).map(\.id))
            let rows = results.filter { ids.contains($0.id) }
            #expect(rows.count == ids.count && rows.allSatisfy(\.status.isExecuted), "\(file)")
        }
    }

    /// Each fault with a file of vectors, and a case in it that has to find the fault.
    @Test(arguments: [
        ("range-excludes-end", "query/kinds.json", "kinds-range"),
        ("ids-reused", "store/entries.json", "entries-ids-go-on-after-removal"),
        ("batch-not-atomic", "store/external-ids.json", "external-id-not-unique"),
        ("numbers-through-float", "store/entries.json", "entries-numbers-exact"),
        ("array-step-keeps-misses", "store/projection.json", "projection-through-arrays"),
        ("ties-unordered", "query/kinds.json", "kinds-ties-by-id"),
    ])
    func `planted fault is found`(bug: String, file: String, id: String) throws {
        let red = try run("SOUP_PEER_BUG=\(bug) " + Peer.driver, paths: [file]).filter(\.status.isRed)
        #expect(red.contains { $0.id == id } && red.allSatisfy { $0.status == .fail || $0.status == .error })
    }
}

private enum Peer {
    static let driver = "python3 " + TestData.packageRoot + "/ci/peers/sqlite_driver.py"
    static let isHere = (try? DriverBackEnd(command: driver).close()) != nil
}
