import JSONText
import OfflineStore
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

struct GeneratedCorpusTests {
    let corpus = GeneratedCorpus(seed: 1)

    @Test func `documents are about one kilobyte of valid JSON`() throws {
        let sizes = try (0..<200).map { index in
            let document = corpus.document(at: index)
            let value = try JSONValue(parsing: document)
            #expect(value["marker"]?.string == "soup-bench-marker")
            return document.count
        }
        let mean = sizes.reduce(0, +) / sizes.count
        #expect((900...1_150).contains(mean), "\(mean) bytes on average")
    }

    @Test func `the same seed gives the same documents and another one others`() {
        #expect(corpus.document(at: 7) == GeneratedCorpus(seed: 1).document(at: 7))
        #expect(corpus.document(at: 7) != GeneratedCorpus(seed: 2).document(at: 7))
        #expect(corpus.document(at: 7) != corpus.document(at: 8))
        #expect(corpus.document(at: 7, version: 1) != corpus.document(at: 7))
        // Fixed, because stored reports were measured with exactly these documents.
        #expect(String(corpus.hash.prefix(12)) == "eb2c734390c0")
    }

    @Test func `keys are unique`() {
        #expect(Set((0..<5_000).map { ByteKey(corpus.key(of: $0)) }).count == 5_000)
    }

    @Test func `words follow Zipf's law`() {
        var counts: [[UInt8]: Int] = [:]
        var random = SplitMix(seed: 9)
        for _ in 0..<50_000 {
            counts[Vocabulary.standard.draw(&random), default: 0] += 1
        }
        func share(_ rank: Int) -> Double { Double(counts[Vocabulary.standard.words[rank - 1]] ?? 0) }
        #expect((1.7...2.3).contains(share(1) / share(2)))
        #expect((7...13).contains(share(1) / share(10)))
        #expect(Set(Vocabulary.standard.words).count == 5_000)
    }

    @Test func `the rare word is in every five hundredth document and the common one in most`() {
        let texts = (0..<1_000).map { String(decoding: corpus.document(at: $0), as: UTF8.self) }
        #expect(texts.count { $0.contains(GeneratedCorpus.rareWord) } == 2)
        #expect(texts.count { $0.contains(" " + GeneratedCorpus.commonWord + " ") } > 800)
    }
}

struct DocumentCorpusTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    func file(_ text: String) throws -> String {
        let path = folder.file("own.jsonl")
        try #require(TestFile.write(Array(text.utf8), to: path))
        return path
    }

    func read(
        _ text: String, _ indexes: [IndexSpec] = [.string("Package"), .fullText("Description")]
    ) throws -> DocumentCorpus {
        try DocumentCorpus.read(path: try file(text), indexes: indexes, seed: 1)
    }

    @Test func `lines are counted hashed and asked`() throws {
        let corpus = try read(
            """
            {"Package":"a","Description":"the quick brown fox"}
            {"Package":"b","Description":"the slow brown ox"}

            {"Package":"c","Description":"the end"}
            """)
        #expect(corpus.count == 3)
        #expect(corpus.name == "own")
        #expect(corpus.questions.keyPath == "Package")
        #expect(Set(corpus.questions.keys) == ["a", "b", "c"])
        #expect(corpus.questions.commonWord == "the")
        #expect(corpus.questions.rareWord.map { ["quick", "slow", "fox", "end"].contains($0) } == true)
        let again = try DocumentCorpus(json: corpus.json)
        #expect(
            again.hash == corpus.hash && again.questions.keys == corpus.questions.keys
                && again.questions.markers == corpus.questions.markers)
    }

    /// Documents that the store does not keep byte for byte: blanks around and inside the braces, system fields of
    /// another store.
    @Test(arguments: [
        "{\"a\":\"four\"}",
        "{\"a\":\"\u{65E5}\u{672C}\u{8A9E}\u{306E}\u{6587}\u{7AE0}\u{3067}\u{3059}\",\"name\":\"x\"}",
        "{ \"a\": \"b\", \"c\": 1 }",
        "{\"a\": \"some words\"   }   ", "{\"_soupEntryId\":4,\"a\":\"some text of its own, and long enough for it\"}",
        "{\t\"a\":\"x y z\"\t}",
    ])
    func `what is looked for is in a store that is not encrypted`(document: String) throws {
        let corpus = try read(document, [.string("a")])
        let marker = try #require(corpus.questions.markers.first)
        #expect(marker.count >= 8)
        let store = try StorageArm.open(.plain, in: folder.path)
        _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: [.json1("c")])
        try store.upsert([Array(document.utf8)], into: StoreCorpus.soup)
        try store.close()
        try Folders.remove(folder.file("own.jsonl"))
        #expect(
            try Evidence(folder: folder.path, markers: [marker]).isMarkerFound(),
            "\(String(decoding: marker, as: UTF8.self))")
    }

    /// The search stays near the middle, whatever the length; otherwise every offset of a long document of the user
    /// would be tried.
    @Test func `a text to look for is not searched far from the middle`() throws {
        func markers(_ characters: Int) throws -> Int {
            let document = "{\"a\":\"" + String(repeating: "\u{65E5}", count: characters) + "\",\"name of the last\":1}"
            return try read(document, [.string("name of the last")]).questions.markers.count
        }
        #expect(try markers(2_000) == 1 && markers(20_000) == 0)
    }

    @Test(arguments: [
        ("{\"Package\":\"a\"}\n{\"Package\":\"b\"\n", 2), ("{\"Package\":\"a\"}\n{\"Pack", 2), ("[1]\n", 1),
        ("{\"a\":1}\n\n{\"a\":1,\"a\":2}\n", 3),
        ("{\"a\":1}{\"a\":2}\n", 1), ("{\"Package\":\"\\u0000\"}\n", 1),
    ])
    func `broken and half written lines are named`(text: String, line: Int) throws {
        let fault = #expect(throws: Fault.self) { try read(text) }
        #expect(fault?.code == .invalidEntry)
        #expect(fault?.message.contains("own.jsonl, line \(line)") == true, "\(fault?.message ?? "")")
    }

    @Test func `empty files and missing indexes are refused`() throws {
        #expect(throws: Fault.self) { try read("\n\n") }
        #expect(throws: Fault.self) { try read("{\"a\":1}", []) }
        #expect(throws: Fault.self) {
            try DocumentCorpus.read(path: "/nowhere.jsonl", indexes: [.string("a")], seed: 1)
        }
    }

    @Test func `lines longer than a piece and with carriage returns are whole`() throws {
        let long = String(repeating: "x", count: 3_000_000)
        let path = try file("{\"a\":1}\r\n{\"b\":\"\(long)\"}\r\n{\"c\":3}")
        let reader = try DocumentLines(path: path)
        var lengths: [Int] = []
        while let line = try reader.next() {
            lengths.append(line.count)
        }
        #expect(lengths == [7, long.utf8.count + 8, 7])
        #expect(reader.number == 3)
    }

    @Test func `the last line may end without a break`() throws {
        #expect(try read("{\"Package\":\"a\"}").count == 1)
        #expect(try read("{\"Package\":\"a\"}\n").count == 1)
    }
}
