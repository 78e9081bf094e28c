import SQLiteAccess
import TestSupport
import Testing

/// Two processes that do everything to one store; `ci/two-processes` lets them for a minute.
@Suite(.serialized)
struct TwoProcessesTests {
    @Test(arguments: [BackEnd.plain, .cipher])
    func `two processes that write, watch, copy, check and are killed leave a sound store`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let seed = UInt64.random(in: 0...1_000_000)
        let (status, output) = try Child.output(["two-processes", backEnd.rawValue, folder.path, "2", String(seed)])
        print(output, terminator: "")
        #expect(status == 0)
        #expect(output.contains("all right"))
    }

    @Test(arguments: [
        ("lostEntry", "is not a commit"), ("strayFile", "left over: store.db.rekeyed"),
        ("commitWithoutLog", "commits are in no log"),
    ])
    func `what two processes must not leave is found`(_ plant: String, _ finding: String) throws {
        let folder = try TemporaryFolder()
        let (status, output) = try Child.output(["two-processes", "plain", folder.path, "1", "1", plant])
        #expect(status == 1 && output.contains("finding: ") && output.contains(finding), "\(output)")
    }
}
