import TestSupport
import Testing

@testable import soup

/// `soup soql`, run as a user would.
@Suite struct SOQLCommandTests {
    private static func run(_ arguments: [String]) throws -> BenchProgram.Ended {
        let folder = try TemporaryFolder()
        return try BenchProgram(folder: folder.path).run(["soql"] + arguments)
    }

    @Test func `tokens are lines with offset kind and text`() throws {
        let ended = try Self.run(["tokens", "a = 'b'  order   by c"])
        let lines = [
            #"0 word "a""#, #"1 blanks " ""#, #"2 word "=""#, #"3 blanks " ""#, #"4 quoted "'b'""#, #"7 blanks "  ""#,
            #"9 orderBy "order by""#, #"19 blanks " ""#, #"20 word "c""#,
        ]
        #expect(ended.code == 0 && ended.output == lines.map { $0 + "\n" }.joined())
    }

    @Test func `inspection shows clauses and the field`() throws {
        let ended = try Self.run(["inspect", "--field", "id", "SELECT Id FROM A order by Id limit 3"])
        let lines = [
            "select: Id", "from: A", "order by: Id", "limit: 3", "selecting id: true", "ordering by id: false",
            "ascending by id: true",
        ]
        #expect(ended.code == 0 && ended.output == lines.map { $0 + "\n" }.joined())
    }

    @Test func `changes are made in the order given`() throws {
        let query = "SELECT Name FROM A WHERE B = 1 OR C = 2 ORDER BY D"
        let ended = try Self.run(
            [
                "mutate", query, "add-select", "Id", "add-where", "P", "order-by", "", "replace-select", "E",
                "add-select", "F",
            ])
        #expect(ended.code == 0 && ended.output == "select F,E from A where P and (B = 1 OR C = 2)\n")
    }

    @Test func `malformed texts end with one and a mark`() throws {
        for arguments in [["tokens", "é 'b"], ["mutate", "select Id from A", "add-where", "é 'b"]] {
            let ended = try Self.run(arguments)
            #expect(ended.code == 1 && ended.output.isEmpty)
            #expect(ended.errors.contains("at byte 3") && ended.errors.hasSuffix("é 'b\n  ^\n"), "\(ended.errors)")
        }
    }

    @Test func `changes without name or text are usage errors`() throws {
        for changes in [["add", "Id"], ["add-select"]] {
            let ended = try Self.run(["mutate", "select Id from A"] + changes)
            #expect(ended.code == 2 && ended.output.isEmpty && ended.errors.contains("add-select"))
        }
    }
}
