import Foundation
import TestSupport
import Testing

/// `soup odata` as a user runs it.
@Suite struct ODataCommandTests {
    private let folder: TemporaryFolder
    private let program: BenchProgram

    init() throws {
        folder = try TemporaryFolder()
        program = BenchProgram(folder: folder.path)
    }

    private func write(_ name: String, _ text: String) throws -> String {
        let path = folder.file(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Runs the program with a file as its standard input.
    private func run(_ arguments: [String], input: String) throws -> BenchProgram.Ended {
        let path = try write("input", input)
        let command = "exec \"$0\" \"$@\" < '\(path)'"
        return try program.run(["-c", command, SoupProgram.path] + arguments, of: "/bin/sh")
    }

    private static let feed =
        "{\"@odata.context\":\"$metadata#A\",\"value\":[{\"N\":1,\"T\":\"a\"},{\"N\":5,\"T\":\"b\"},{\"N\":7,\"T\":null}]}"

    private static let metadata = """
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"><EntityType Name="T"><Key>\
        <PropertyRef Name="N"/></Key><Property Name="N" Type="Edm.Int32"/><Property Name="S" Type="N.E"/></EntityType>\
        <EnumType Name="E"><Member Name="M"/></EnumType></Schema>
        """

    @Test func `read takes standard input`() throws {
        let ended = try run(["odata", "read", "-"], input: Self.feed)
        #expect(ended.code == 0 && ended.output.split(separator: "\n").count == 3)
        #expect(try run(["odata", "read", "-", "--count"], input: Self.feed).output == "3\n")
        let broken = try run(["odata", "read", "-"], input: String(Self.feed.dropLast(2)))
        #expect(broken.code == 1 && broken.errors.contains("truncated"))
    }

    @Test func `filter prints the entries that match`() throws {
        let file = try write("feed.json", Self.feed)
        let ended = try program.run(["odata", "filter", file, "--filter", "N gt 3 and T ne null"])
        #expect(ended.code == 0 && ended.output.split(separator: "\n").count == 1 && ended.output.contains("\"b\""))
        #expect(try program.run(["odata", "filter", file, "--filter", "N gt 3", "--count"]).output == "2\n")
        #expect(
            try run(["odata", "filter", "-", "--filter", "T eq null", "--count"], input: Self.feed).output == "1\n")
        let broken = try program.run(["odata", "filter", file, "--filter", "N gt"])
        #expect(broken.code == 1 && broken.errors.contains("syntax") && broken.output.isEmpty)
        let model = try write("model.xml", Self.metadata)
        let unknown = try program.run(
            ["odata", "filter", file, "--metadata", model, "--entity-type", "N.T", "--filter", "Nope eq 1"])
        #expect(unknown.code == 1 && unknown.errors.contains("unknownProperty"))
    }

    @Test func `eval takes types from metadata`() throws {
        let model = try write("model.xml", Self.metadata)
        let typed = ["odata", "eval", "--metadata", model, "--entity-type", "N.T"]
        #expect(try program.run(typed + ["N div 2", "{\"N\":5}"]).output == "2\n")
        #expect(try program.run(["odata", "eval", "N div 2", "{\"N\":5}"]).output == "2.5\n")
        let unknown = try program.run(typed + ["Nope eq 1", "{}"])
        #expect(unknown.code == 1 && unknown.errors.contains("unknownProperty"))
        let missing = try program.run(["odata", "eval", "--metadata", folder.file("none.xml"), "1 eq 1"])
        #expect(missing.code == 2 && missing.errors.contains("none.xml"))
    }

    @Test func `a file that cannot be read ends with 2`() throws {
        let none = folder.file("none.xml")
        for command in [["read", none], ["filter", none, "--filter", "A eq 1"]] {
            let ended = try program.run(["odata"] + command)
            #expect(ended.code == 2 && ended.errors.contains("cannot open the file \(none)"))
        }
    }

    @Test func `parse reads compute and apply`() throws {
        let computed = try program.run(
            ["odata", "parse", "--kind", "compute", "--version", "4.01", "A mul 2 as B"])
        #expect(computed.code == 0 && computed.output.contains("\"as\":\"B\""))
        let applied = try program.run(
            ["odata", "parse", "--kind", "apply", "groupby((A),aggregate(B with sum as C))"])
        #expect(applied.code == 0 && applied.output.contains("groupby"))
        #expect(try program.run(["odata", "parse", "--kind", "compute", "A mul 2 as B"]).code == 1)
    }
}
