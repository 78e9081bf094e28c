import TestSupport
import Testing

@testable import soup

@Suite struct ExitStatusTests {
    static let commands: [[String]] = [
        ["bench"], ["check"], ["claims"], ["compare"], ["conform"], ["conform", "run"], ["conform", "compare"],
        ["conform", "coverage"],
        ["doctor"], ["inspect"], ["merge"], ["mock"], ["mock", "odata"], ["odata"],
        ["odata", "parse"], ["odata", "print"], ["odata", "eval"], ["odata", "read"], ["odata", "filter"],
        ["odata", "metadata"], ["odata", "query"], ["odata", "load"], ["odata", "edit"], ["odata", "push"],
        ["odata", "resolve"], ["plan"],
        ["report", "write"], ["report", "accept"], ["report", "accept-builds"], ["serve"], ["soql"],
        ["soql", "tokens"], ["soql", "inspect"],
        ["soql", "mutate"], ["sync"], ["sync", "down"],
        ["sync", "edit"], ["sync", "resolve"], ["sync", "up"], ["tune"],
    ]

    @Test func `help names the codes that a command uses and no others`() {
        #expect(ExitStatus.help(success: "read") == "Exit codes: 0 read; 2 usage error.")
        let all = ExitStatus.help(
            success: "a", failure: "b", usage: "c", notValid: "d", undecided: "e", incomparable: "f", interrupted: true)
        #expect(all == "Exit codes: 0 a; 1 b; 2 usage error, or c; 3 d; 4 e; 5 f; 130 interrupted.")
        #expect(ExitStatus.allCases.allSatisfy { all.contains("\($0.rawValue) ") })
    }

    @Test(arguments: commands) func `every command documents its codes and refuses an unknown option`(
        _ command: [String]
    ) throws {
        let folder = try TemporaryFolder()
        let program = BenchProgram(folder: folder.path)
        let help = try program.run(command + ["--help"])
        let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.code == 0 && words.contains("Exit codes: 0 ") && words.contains("; 2 usage error"))
        let refused = try program.run(command + ["--no-such-option"])
        #expect(refused.code == 2 && refused.errors.hasPrefix("Error: ") && refused.output.isEmpty)
    }

    @Test func `all commands are checked`() throws {
        let folder = try TemporaryFolder()
        let help = try BenchProgram(folder: folder.path).run(["--help"])
        // These only print or have subcommands of their own.
        let others = ["list", "report"]
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("SUBCOMMANDS") }.dropFirst().prefix { !$0.isEmpty }
        let names = lines.filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first }
        #expect(names.count > 10)
        for name in names.map(String.init) where !others.contains(name) {
            #expect(Self.commands.contains([name]))
        }
    }
}
