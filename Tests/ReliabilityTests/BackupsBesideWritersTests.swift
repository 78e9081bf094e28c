import SQLiteAccess
import TestSupport
import Testing

/// Backups while other processes write; `ci/backups` makes 200 of them beside four.
@Suite(.serialized)
struct BackupsBesideWritersTests {
    @Test(arguments: [BackEnd.plain, .cipher])
    func `each backup beside two writing processes is exactly one of their commits`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let (status, output) = try Child.output(["backups", backEnd.rawValue, folder.path, "6", "2", "0", "0"])
        print(output, terminator: "")
        #expect(status == 0)
        #expect(output.contains("each equal to one commit"))
    }

    @Test func `a backup with a lost, old, double or half written entry is found to be no commit`() throws {
        let folder = try TemporaryFolder()
        let (status, output) = try Child.output(["backups", "plain", folder.path, "7", "2", "0", "0", "plant"])
        print(output, terminator: "")
        #expect(status == 0)
        #expect(output.contains("7 planted faults found"))
    }
}
