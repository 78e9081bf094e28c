import Foundation
import OData
import TestSupport
import Testing

/// Reads recorded batches, writes and reads them again, and lets Python read what was written.
@Suite(.enabled(if: TestData.isPresent("odata-payloads/batch"), Comment(rawValue: TestData.skipComment)))
struct BatchDataTests {
    /// The refused files, with the reasons.
    static let refused: [(file: String, code: Fault.Code, reason: String)] = [
        ("olingo2/batchWithContent.batch", .truncated, "an image, not a batch"),
        ("olingo4/batchWithContent.batch", .truncated, "an image, not a batch"),
    ]

    static func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: TestData.path("odata-payloads/batch")).sorted().filter {
            $0.hasSuffix(".batch")
        }
    }

    static func batches() throws -> [(file: String, batch: ODataBatch)] {
        try files().filter { file in !refused.contains { $0.file == file } }.map { file in
            let bytes = try TestData.bytes("odata-payloads/batch/" + file)
            return (file, try ODataBatch(reading: bytes, contentType: nil))
        }
    }

    @Test func `recorded batches are written and read again`() throws {
        let batches = try Self.batches()
        #expect(batches.count == 24)
        #expect(batches.map(\.batch.messages.count).reduce(0, +) > 80)
        for (file, batch) in batches {
            let written = try batch.multipart(boundary: "batch_1", version: .v2)
            let read = try ODataBatch(reading: written.body, contentType: ContentType(written.contentType))
            #expect(read.parts == batch.parts, "\(file)")
        }
    }

    @Test(arguments: refused.map(\.file)) func `files that are not batches are refused`(file: String) throws {
        let known = try #require(Self.refused.first { $0.file == file })
        #expect {
            _ = try ODataBatch(reading: try TestData.bytes("odata-payloads/batch/" + file), contentType: nil)
        } throws: {
            ($0 as? Fault)?.code == known.code
        }
    }

    /// The messages as the script prints them.
    private static func line(of batch: ODataBatch) -> String {
        let messages = batch.messages.map { message in
            let first =
                switch message.start {
                case .request(let method, let url): "\(method) \(url) HTTP/1.1"
                case .answer(let status, let reason): "HTTP/1.1 \(status)" + (reason.isEmpty ? "" : " " + reason)
                }
            return Base64.encode(Array(first.utf8)) + ":\(message.headers.count):" + Base64.encode(message.body ?? [])
        }
        return messages.isEmpty ? "-" : messages.joined(separator: " ")
    }

    @Test(.enabled(if: PythonPeer.isPresent, Comment(rawValue: PythonPeer.skipComment)))
    func `Python reads what is written`() throws {
        var input = ""
        var expected: [String] = []
        func add(_ type: String, _ body: [UInt8], _ batch: ODataBatch) {
            input += type + "\t" + Base64.encode(body) + "\n"
            expected.append(Self.line(of: batch))
        }
        for (_, batch) in try Self.batches() {
            let written = try batch.multipart(boundary: "batch_1", version: .v2)
            add(written.contentType, written.body, batch)
        }
        var random = SeededRandom(seed: UInt64.random(in: 0..<1 << 32))
        let seed = random.seed
        for _ in 0..<50 {
            let batch = BatchGenerator.batch(&random)
            // Python takes a batch without parts for a mistake.
            guard !batch.parts.isEmpty else { continue }
            let multipart = try batch.multipart(boundary: "b", version: .v2)
            add(multipart.contentType, multipart.body, batch)
            add("application/json", try batch.json(), batch)
        }
        let lines = try PythonPeer.lines(of: "odata_batch.py", input: Array(input.utf8))
        #expect(lines.count == expected.count)
        for (index, (line, wanted)) in zip(lines, expected).enumerated() {
            #expect(line == wanted, "seed \(seed), batch \(index)")
        }
    }

    @Test func `random batches come back from both formats`() throws {
        var random = SeededRandom(seed: UInt64.random(in: 0..<1 << 32))
        for _ in 0..<200 {
            let batch = BatchGenerator.batch(&random)
            let multipart = try batch.multipart(boundary: "b", version: .v4)
            let read = try ODataBatch(reading: multipart.body, contentType: ContentType(multipart.contentType))
            #expect(read.messages == batch.messages, "seed \(random.seed)")
            let json = try ODataBatch(reading: try batch.json(), contentType: ContentType("application/json"))
            #expect(json.parts == batch.parts, "seed \(random.seed)")
        }
    }
}
