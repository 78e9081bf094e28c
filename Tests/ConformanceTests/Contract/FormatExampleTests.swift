import Conformance
import JSONText
import SQLiteAccess
import TestSupport
import Testing

/// Runs the examples of `Corpora/FORMAT.md`.
@Suite struct FormatExampleTests {
    private static func file(of lines: [String]) throws -> VectorFile {
        let steps = lines.joined(separator: ",\n")
        let start = #"{"format": 1, "area": "examples", "cases": [{"id": "example", "title": "t", "steps": ["#
        let text = start + steps + "]}]}"
        return try #require(try RunnerVectors.files(text: text).first)
    }

    @Test func `examples do what they say`() throws {
        let examples = try ContractDocument().examples
        #expect(examples.count >= 8)
        for example in examples {
            let needsCipher = example.capability == "encryption"
            if needsCipher, !BackEnds.missing.isEmpty {
                continue
            }
            let run = ConformanceRun(files: [try Self.file(of: example.lines)])
            run.run(on: ConformanceRun.Arm(store: needsCipher ? .cipherOff : .plain), isRequired: true)
            #expect(run.results.map(\.status) == [.pass], "\(example.lines[0]): \(run.results[0].detail)")
        }
    }

    @Test func `every call has an example`() throws {
        let lines = try ContractDocument().examples.flatMap(\.lines)
        let shown = try lines.map { try JSONValue(parsing: Array($0.utf8))["call"]?.string ?? "" }
        // They are shown in the section about the protocol.
        let others = ["hello", "reset"]
        #expect(CallSignature.all.map(\.name).filter { !shown.contains($0) } == others)
    }
}
