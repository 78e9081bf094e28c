import TestSupport
import Testing

/// The code examples in the documentation of the product SOQL.
@Suite struct SOQLDocumentationTests {
    /// Files of the types from which a user starts.
    private static let startingPoints = [
        "Lexer/SOQLToken", "Mutation/SOQLQuery", "Building/SOQLBuilder", "Building/SOSLBuilder", "Escaping/SOQLLiteral",
    ]

    @Test func `every example is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/SOQL")
        let compiled = try CodeExample.compiled(below: "Tests/SOQLTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
        #expect(Set(compiled).count == compiled.count, "an example is tested twice")
    }

    @Test(arguments: startingPoints) func `starting points have an example`(file: String) throws {
        let examples = try CodeExample.documented(below: "Sources/SOQL")
        #expect(examples.contains { $0.file == "Sources/SOQL/\(file).swift" })
    }
}
