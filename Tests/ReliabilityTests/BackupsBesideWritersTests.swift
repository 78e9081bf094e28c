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
}
