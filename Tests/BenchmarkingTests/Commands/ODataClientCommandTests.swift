import Foundation
import JSONText
import Platform
import TestSupport
import Testing

/// `soup odata load`, `edit`, `push` and `resolve` against `soup mock odata`, as a user runs them.
@Suite(.enabled(if: SoupProgram.exists, "the program soup was not built"))
struct ODataClientCommandTests {
    private let folder: TemporaryFolder
    private let program: BenchProgram
    private let metadata: String

    private static let csdl = """
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Product"><Key>
        <PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/><Property Name="Price" Type="Edm.Decimal" Scale="2"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Products" EntityType="Shop.Product"/></EntityContainer></Schema>
        """

    private static let data = """
        {"entities": {"Products": [{"ID": 1, "Name": "Milk", "Price": 1.20}, {"ID": 2, "Name": "Tea", "Price": 3},
         {"ID": 3, "Name": "Jam", "Price": 2.5}]}, "options": {"pageSize": 2}}
        """

    init() throws {
        folder = try TemporaryFolder()
        program = BenchProgram(folder: folder.path)
        metadata = folder.file("metadata.xml")
        #expect(TestFile.write(Array(Self.csdl.utf8), to: metadata))
    }

    private func file(_ name: String, _ text: String) -> String {
        let path = folder.file(name)
        #expect(TestFile.write(Array(text.utf8), to: path))
        return path
    }

    private func run(_ command: String, _ arguments: String...) throws -> BenchProgram.Ended {
        try program.run(["odata", command, folder.file("app.db")] + arguments + ["--metadata", metadata])
    }

    private func names() throws -> [String] {
        let ended = try program.run(
            ["odata", "query", folder.file("app.db"), "Products", "$select=Name&$orderby=Name"])
        return try ended.output.split(separator: "\n").compactMap { try JSONValue(parsing: String($0))["Name"]?.string }
    }

    @Test func `a set is loaded, changed and pushed`() throws {
        let rules = file("rules.json", "[{\"fault\": \"dropAfter\", \"call\": \"create\"}]")
        let service = try ODataProgram(
            ["--metadata", metadata, "--data", file("data.json", Self.data), "--faults", rules])
        let loaded = try run("load", "Products", service.root)
        #expect(loaded.code == 0, "\(loaded.errors)")
        #expect(
            loaded.output == """
                2 entities, 2 rows changed
                1 entity, 1 row changed
                2 pages, 3 entities, 3 rows changed, 0 removed, 0 skipped

                """)
        let changes = """
            {"set": "Products", "create": {"Name": "Honey", "Price": 4}}
            {"set": "Products", "update": 2, "changes": {"Name": "Green tea"}}
            {"set": "Products", "delete": 3}
            """
        let edited = try run("edit", file("changes.jsonl", changes))
        #expect(edited.code == 0, "\(edited.errors)")
        #expect(edited.output.split(separator: "\n").dropFirst() == ["2", "3"])
        let planned = try run("push", service.root, "--plan")
        #expect(planned.output.split(separator: "\n").count == 3 && planned.output.contains("\"DELETE\""))

        // The answer to the new product is lost, and it is held.
        let cut = try run("push", service.root)
        #expect(cut.code == 1 && cut.errors.contains("noAnswer"))
        let doubts = try run("resolve", "Products")
        let entry = try #require(doubts.output.split(separator: "\t").first.map(String.init))
        #expect(doubts.output.contains("Honey"))
        #expect(try run("resolve", "Products", "--entry", entry, "--created-as", "1001").code == 0)
        let pushed = try run("push", service.root, "--mode", "batch")
        #expect(pushed.code == 0, "\(pushed.errors)")
        #expect(pushed.output.split(separator: "\n").allSatisfy { $0.hasSuffix(" done") })
        let again = try run("load", "Products", service.root)
        #expect(again.code == 0 && again.output.contains("0 removed"))
        #expect(try names() == ["Green tea", "Honey", "Milk"])
    }

    @Test func `a feed in a file is loaded, and a load that is cut goes on`() throws {
        let feed = file(
            "feed.json",
            "{\"@odata.context\": \"$metadata#Products\", \"value\": [{\"ID\": 1, \"Name\": \"Milk\", \"Price\": 1}]}")
        let loaded = try run("load", "Products", feed)
        #expect(loaded.code == 0, "\(loaded.errors)")
        #expect(try names() == ["Milk"])
        let rules = file("rules.json", "[{\"fault\": \"cut\", \"call\": \"nextPage\"}]")
        let service = try ODataProgram(
            ["--metadata", metadata, "--data", file("data.json", Self.data), "--faults", rules])
        let cut = try run("load", "Products", service.root, "--mode", "full")
        #expect(cut.code == 1 && cut.errors.contains("noAnswer"))
        #expect(try run("load", "Products", service.root, "--resume").code == 0)
        #expect(try names() == ["Jam", "Milk", "Tea"])
        let nothing = try run("load", "Products", service.root, "--resume")
        #expect(nothing.code == 1 && nothing.errors.contains("waits to be continued"))
    }

    @Test(arguments: [
        ("{\"set\":\"Products\",\"update\":1,\"change\":{}}", "line 2: update needs an object of changes"),
        ("{\"set\":\"Products\",\"update\":1,\"delete\":2}", "line 2 has both update and delete"),
        ("{\"set\":\"Products\"}", "line 2 has no change"),
    ])
    func `a line that is not a change is refused with its number`(line: String, message: String) throws {
        let ended = try run("edit", file("changes.jsonl", "\n" + line + "\n"))
        #expect(ended.code != 0 && ended.errors.contains(message), "\(ended.errors)")
    }

    @Test(arguments: [
        (["load", "Products", "http://elsewhere.example/"], "is not a service of this machine"),
        (["load", "Products", "feed.json", "--mode", "odd"], "'odd' is not a value of this option"),
        (["push", "http://127.0.0.1:1/", "--doubt", "odd"], "'odd' is not a value of this option"),
        (["edit", "changes.jsonl", "--backend", "cipher"], "use plain or cipher-off"),
    ])
    func `what cannot be used is refused with what is wrong`(arguments: [String], message: String) throws {
        let ended = try program.run(
            ["odata", arguments[0], folder.file("app.db")] + arguments.dropFirst() + ["--metadata", metadata])
        #expect(ended.code == 2 && ended.errors.contains(message), "\(ended.errors)")
    }
}

/// `soup mock odata` while it runs.
private final class ODataProgram: @unchecked Sendable {
    let root: String
    private let process: ChildProcess

    init(_ arguments: [String]) throws {
        process = try ChildProcess(SoupProgram.path, ["mock", "odata"] + arguments)
        var bytes: [UInt8] = []
        while let byte = try process.output.read(atMost: 1).first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        root = String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        kill(process.id, SIGTERM)
        _ = process.wait()
    }
}
