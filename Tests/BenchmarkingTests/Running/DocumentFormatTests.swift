import Foundation
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Files of documents as people have them.
struct DocumentFormatTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func file(_ bytes: [UInt8], _ name: String) throws -> String {
        let path = folder.file(name)
        try #require(TestFile.write(bytes, to: path))
        return path
    }

    private func documents(_ path: String) throws -> [String] {
        let lines = try DocumentLines(path: path)
        var found: [String] = []
        while let line = try lines.next() {
            found.append(String(decoding: line, as: UTF8.self))
        }
        return found
    }

    private func fault(
        _ text: String, _ name: String = "own.json", _ indexes: [IndexSpec] = [.string("a")]
    ) throws -> Fault {
        try fault(Array(text.utf8), name, indexes)
    }

    private func fault(_ bytes: [UInt8], _ name: String, _ indexes: [IndexSpec] = [.string("a")]) throws -> Fault {
        let path = try file(bytes, name)
        let fault = #expect(throws: Fault.self) { try DocumentCorpus.read(path: path, indexes: indexes, seed: 1) }
        return try #require(fault)
    }

    /// `gzip` of the system, so that what is read is not what the same code has written.
    private func packed(_ path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["--keep", path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return path + ".gz"
    }

    private static let three = ["{\"a\":1}", "{\"a\":2}", "{\"a\":3,\"b\":\"x\"}"]

    @Test(arguments: [
        "{\"a\":1}\n{\"a\":2}\n{\"a\":3,\"b\":\"x\"}\n", "\u{FEFF}{\"a\":1}\r\n{\"a\":2}\n\n{\"a\":3,\"b\":\"x\"}",
        "[{\"a\":1},{\"a\":2},\n{\"a\":3,\"b\":\"x\"}]", " \n[ {\"a\":1} , {\"a\":2} , {\"a\":3,\"b\":\"x\"} ] ",
        "a,b\n1,\n2,\n3,x\n", "\u{FEFF}a,b\r\n1,\r\n2,\r\n3,x\r\n",
    ])
    func `lines arrays and tables hold the same documents packed or not`(text: String) throws {
        let path = try file(Array(text.utf8), "own.txt")
        #expect(try documents(path) == Self.three)
        #expect(try documents(packed(path)) == Self.three)
        let corpus = try DocumentCorpus.read(path: path, indexes: [.integer("a")], seed: 1)
        #expect(corpus.count == 3 && corpus.questions.keys.count == 3)
    }

    @Test func `a large packed file is unpacked piece by piece`() throws {
        let lines = (0..<60_000).map { "{\"a\":\($0),\"text\":\"line number \($0) of many\"}" }
        let path = try packed(try file(Array(lines.joined(separator: "\n").utf8), "large.jsonl"))
        #expect(try documents(path) == lines)
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.prefix(whole.count - 9).write(to: URL(filePath: path))
        let fault = #expect(throws: Fault.self) { try documents(path) }
        #expect(fault?.message.contains("ends too early") == true)
    }

    @Test func `fields of a table are numbers where JSON would spell them so`() throws {
        let path = try file(Array("id,zip,n,q\n7,00123,-1.5,\"a \"\"b\"\", c\"\n".utf8), "t.csv")
        #expect(try documents(path) == [#"{"id":7,"zip":"00123","n":-1.5,"q":"a \"b\", c"}"#])
    }

    @Test func `what a file is instead is said`() throws {
        #expect(try fault([0xFF, 0xFE, 0x7B, 0], "u.jsonl").message.contains("looks like UTF-16; convert it: iconv"))
        #expect(try fault("hello").message.contains("neither JSON (lines or an array) nor comma-separated"))
        #expect(try fault("a,b\n1,2,3\n", "t.csv").message.contains("record 2: 3 fields, but the header has 2"))
        #expect(try fault("a,a\n1,2\n", "t.csv").message.contains("two columns of one name"))
        #expect(try fault("[{\"a\":1},{\"a\":2]").message.contains("document 2"))
        let here = folder.path
        let isFolder = #expect(throws: Fault.self) { try DocumentLines(path: here) }
        #expect(isFolder?.message.contains("is a folder; name a file in it") == true)
    }

    @Test(arguments: [
        "{\"records\":[{\"a\":1},{\"a\":2}],\"count\":2}",
        "{\n \"count\": 2,\n \"records\": [{\"a\":1},\n {\"a\":2}]\n}",
    ])
    func `one object that holds all records is explained`(text: String) throws {
        for indexes in [[IndexSpec.string("a")], []] {
            let found = try fault(text, "own.json", indexes)
            #expect(found.code == .invalidArguments)
            #expect(found.message.contains("is one document: did you mean its member `records`?"), "\(found.message)")
        }
    }

    @Test func `without an index some are proposed by what the documents hold`() throws {
        let long = String(repeating: "many words of a long text ", count: 5)
        let text = (0..<50).map {
            "{\"id\":\"k\($0)\",\"kind\":\"same\",\"n\":\($0 % 7),\"r\":\($0).5,\"in\":{\"city\":\"c\($0 % 9)\"},\"text\":\"\(long)\"}"
        }.joined(separator: "\n")
        #expect(
            try fault(text, "own.jsonl", []).message.hasSuffix(
                "for example: --index id:string --index in.city:string --index n:integer --index text:full_text"))
    }

    @Test func `an index without any value is named and the next one is asked`() throws {
        let text = (0..<20).map { "{\"name\":\"n\($0)\",\"text\":\"some words\"}" }.joined(separator: "\n")
        let path = try file(Array(text.utf8), "own.jsonl")
        let corpus = try DocumentCorpus.read(
            path: path, indexes: [.string("nmae"), .string("name"), .fullText("body"), .fullText("text")], seed: 1)
        #expect(corpus.emptyIndexes.map(\.index.path) == ["nmae", "body"])
        #expect(corpus.emptyIndexes.map(\.nearest) == ["name", nil])
        #expect(corpus.questions.keyPath == "name" && corpus.questions.keys.count == 20)
        #expect(corpus.questions.matchPath == "text" && corpus.questions.commonWord != nil)
        let none = try fault(text, "own.jsonl", [.string("x"), .string("y")])
        #expect(none.message.contains("has a value at `x`, `y`; paths with values: name, text"))
    }
}
