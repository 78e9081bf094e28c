import Conformance
import FoundationEssentials
import JSONText
import TestSupport
import Testing

/// Holds the JSON schema, which editors use, to what the runner knows.
@Suite struct SchemaTests {
    private let definitions: JSONValue

    init() throws {
        let path = Corpora.folder + "/schema/vector-file.schema.json"
        definitions = try #require(JSONValue(parsing: [UInt8](Data(contentsOf: URL(filePath: path))))["$defs"])
    }

    private func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    @Test func `lists every call`() {
        #expect(texts(definitions["call"]?["enum"]) == CallSignature.all.map(\.name))
    }

    @Test func `lists the arguments of each call`() throws {
        let rules = try #require(definitions["step"]?["allOf"]?.array)
        #expect(rules.count == CallSignature.all.count)
        for (rule, signature) in zip(rules, CallSignature.all) {
            #expect(rule["if"]?["properties"]?["call"]?["const"]?.string == signature.name)
            let arguments = rule["then"]?["properties"]?["args"]
            #expect(
                arguments?["properties"]?.object?.names.sorted()
                    == (signature.arguments + CallSignature.commonArguments).sorted(), "\(signature.name)")
            #expect(arguments?["additionalProperties"] == false)
        }
    }

    @Test func `lists every capability`() {
        #expect(texts(definitions["capability"]?["enum"]).sorted() == Capability.all.map(\.rawValue).sorted())
    }

    @Test func `lists every matcher`() throws {
        let alternatives = try #require(definitions["expected"]?["anyOf"]?.array)
        let words = alternatives.flatMap { texts($0["enum"]) }
        let objects = alternatives.flatMap { $0["properties"]?.object?.names ?? [] }
        #expect((words + objects + ["$saved"]).sorted() == Matcher.words.sorted())
    }

    @Test func `lists the keys that the contract describes`() throws {
        let document = try ContractDocument()
        for (heading, definition) in [("key of a case", "case"), ("key of a step", "step")] {
            let described = document.rows(in: "A vector file", under: heading).flatMap {
                ContractDocument.words(in: $0[0])
            }
            #expect(
                described.sorted() == definitions[definition]?["properties"]?.object?.names.sorted(), "\(heading)")
        }
    }
}
