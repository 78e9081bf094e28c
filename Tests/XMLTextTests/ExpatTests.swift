import FoundationEssentials
import TestSupport
import Testing
import XMLText

/// Compares the tokenizer with expat: both must accept the same documents with the same events.
@Suite(.enabled(if: PythonPeer.isPresent, Comment(rawValue: PythonPeer.skipComment)))
struct ExpatTests {
    static func framed(_ documents: [[UInt8]]) -> [UInt8] {
        documents.flatMap { Array("\($0.count)\n".utf8) + $0 }
    }

    static func expat(_ documents: [[UInt8]]) throws -> [String] {
        try PythonPeer.lines(of: "expat_events.py", input: framed(documents))
    }

    @Test func `hostile documents are refused as expat does or for a reason`() throws {
        let documents = HostileDocument.all
        #expect(documents.count >= 44)
        for (document, line) in zip(documents, try Self.expat(documents.map(\.bytes))) {
            var error: XMLError?
            let elapsed = ThreadTime.measure { error = EventLog.error(document.bytes) }
            // The specification requires 100 ms in release builds.
            #expect(elapsed < .seconds(10), "\(document.name): \(elapsed)")
            #expect(error?.code == document.code, "\(document.name): \(String(describing: error))")
            let isSame = line.hasPrefix("ok") == (document.code == nil)
            #expect(isSame == (document.difference == nil), "\(document.name): expat says \(line)")
        }
    }

    @Test(.enabled(if: TestData.isPresent("odata-payloads"), Comment(rawValue: TestData.skipComment)))
    func `real documents give the same events`() throws {
        let root = TestData.path("odata-payloads")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
            $0.hasSuffix(".xml") || $0.hasSuffix(".edmx")
        }.sorted()
        #expect(names.count >= 120)
        let documents = try names.map { try TestData.bytes("odata-payloads/" + $0) }
        for (index, line) in try Self.expat(documents).enumerated() {
            #expect(line.hasPrefix("ok"), "\(names[index]): \(line)")
            #expect(EventLog.verdict(documents[index]) == line, "\(names[index])")
        }
    }

    @Test func `mutations give the same verdict and events`() throws {
        let settings = ProcessInfo.processInfo.environment
        let count = settings["SOUP_XML_MUTATIONS"].flatMap { Int($0) } ?? 3_000
        let seed = settings["SOUP_TEST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
        var mutator = Mutator(seed: seed)
        var left = count
        while left > 0 {
            let documents = (0..<min(left, 10_000)).map { _ in mutator.document() }
            left -= documents.count
            for (document, line) in zip(documents, try Self.expat(documents)) {
                let error = EventLog.error(document)
                let ours = error == nil ? EventLog.verdict(document) : "error"
                let same = line.hasPrefix("error") ? ours == "error" : ours == line
                if same {
                    continue
                }
                let reason = Mutator.reason(document, error: error, expat: line)
                #expect(
                    reason != nil,
                    "seed \(seed): \(String(decoding: document, as: UTF8.self)) | \(String(describing: error)) \(ours) | \(line)"
                )
            }
        }
    }
}
