import TestSupport
import Testing

/// The code examples in the documentation of the product OData.
@Suite struct ODataDocumentationTests {
    /// Files of the types from which a user starts.
    private static let startingPoints = [
        "URL/ODataURL", "Expressions/ODataExpression", "Evaluation/ODataEvaluator", "Options/QueryOptions",
        "Payloads/ODataPayloadReader", "Payloads/ODataPayload", "Payloads/ODataEntry", "Model/EdmModel",
        "Changes/ODataChangeRequest", "Values/ODataValue",
    ]

    @Test func `every example is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/OData")
        let compiled = try CodeExample.compiled(below: "Tests/ODataTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
        #expect(Set(compiled).count == compiled.count, "an example is tested twice")
    }

    @Test(arguments: startingPoints) func `starting points have an example`(file: String) throws {
        let examples = try CodeExample.documented(below: "Sources/OData")
        #expect(examples.contains { $0.file == "Sources/OData/\(file).swift" })
    }
}
