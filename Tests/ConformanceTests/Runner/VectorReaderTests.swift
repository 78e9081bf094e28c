import Conformance
import FoundationEssentials
import JSONText
import TestSupport
import Testing

@Suite struct VectorReaderTests {
    @Test(arguments: RunnerVectors.names(in: "malformed"))
    func `malformed file is refused with file case and key`(name: String) throws {
        let path = RunnerVectors.folder + "/malformed/" + name
        let expected = try expectedProblems(in: RunnerVectors.bytes("malformed/" + name))
        let error = #expect(throws: BrokenVectors.self) { try VectorFolder(paths: [path]) }
        let found = try #require(error).problems.map(\.description)
        #expect(found.count == expected.count)
        for (found, expected) in zip(found, expected) {
            #expect(found.hasPrefix(path + ": " + expected))
        }
    }

    /// The list under `x-problems`. In a text that is not valid JSON it is found by a search.
    private func expectedProblems(in bytes: [UInt8]) throws -> [String] {
        if let value = try? JSONValue(parsing: bytes), let list = value["x-problems"]?.array {
            return list.compactMap(\.string)
        }
        return ["not valid JSON"]
    }

    @Test func `all malformed files are there`() { #expect(RunnerVectors.names(in: "malformed").count == 36) }

    @Test func `id shared by two files is a problem`() throws {
        let folder = try TemporaryFolder()
        let text =
            #"{"format": 1, "area": "a", "cases": [{"id": "one", "title": "t", "steps": [{"call": "reset", "args": {}}]}]}"#
        for name in ["a.json", "b.json"] {
            try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
        }
        let error = #expect(throws: BrokenVectors.self) { try VectorFolder(paths: [folder.path]) }
        #expect(
            error?.problems.map(\.description) == [
                "\(folder.path)/b.json: case one: id: is taken by a case of \(folder.path)/a.json"
            ])
    }

    @Test func `missing path and empty folder are problems`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: BrokenVectors.self) {
            try VectorFolder(paths: [folder.path, folder.file("none.json")])
        }
        #expect(error?.problems.map(\.message) == ["the folder has no vector file", "no such file or folder"])
    }

    @Test func `folders are read in order of names and schemas are left out`() throws {
        let folder = try TemporaryFolder()
        func text(_ id: String) -> Data {
            Data(
                #"{"format": 1, "area": "a", "cases": [{"id": "\#(id)", "title": "t", "steps": [{"call": "reset", "args": {}}]}]}"#
                    .utf8)
        }
        try FileManager.default.createDirectory(atPath: folder.file("deep"), withIntermediateDirectories: true)
        try text("three").write(to: URL(filePath: folder.file("z.json")))
        try text("two").write(to: URL(filePath: folder.file("deep/b.json")))
        try text("one").write(to: URL(filePath: folder.file("a.json")))
        try Data("{}".utf8).write(to: URL(filePath: folder.file("v.schema.json")))
        #expect(try VectorFolder(paths: [folder.path]).files.flatMap(\.cases).map(\.id) == ["one", "two", "three"])
    }

    @Test func `every call of the contract is known`() {
        #expect(CallName.store.count == 44)
        #expect(CallName.odata.count == 18)
        #expect(CallName.soql.count == 7)
        #expect(CallName.sync.count == 30)
        #expect(CallName.keyValues.count == 13)
        #expect(CallName.apps.count == 4)
        #expect(CallName.maintenance.count == 13)
        #expect(CallName.offline.count == 18)
        #expect(Capability.all.count == 49)
    }
}
