import TestSupport
import Testing

/// The code examples in the documentation of the product OfflineCore.
@Suite struct StoreDocumentationTests {
    private static let folders = ["OfflineCore", "OfflineStore", "SQLiteAccess", "SmartSQL", "Soups", "JSONText"]

    /// Files of the types and calls from which a user starts.
    private static let startingPoints = [
        "OfflineStore/Store/SmartStore", "OfflineStore/Stores/StoreDirectory", "OfflineStore/Stores/StoreConfiguration",
        "OfflineStore/Store/StoreOptions", "OfflineStore/Queries/StoreCursor",
        "OfflineStore/Queries/SmartStore+SmartQueries", "OfflineStore/Queries/QueryPlan", "SQLiteAccess/Opening/Key",
        "SQLiteAccess/Opening/CipherSettings", "SQLiteAccess/Library/SQLiteLibrary", "Soups/IndexSpec",
        "Soups/SoupSpec", "Soups/QuerySpec", "Soups/Fault", "JSONText/Values/JSONValue",
    ]

    @Test func `every example is tested`() throws {
        let documented = try Self.folders.flatMap { try CodeExample.documented(below: "Sources/" + $0) }
        let compiled = try CodeExample.compiled(below: "Tests/OfflineCoreTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
        #expect(Set(compiled).count == compiled.count, "an example is tested twice")
    }

    @Test(arguments: startingPoints) func `starting points have an example`(file: String) throws {
        let examples = try CodeExample.documented(below: "Sources/" + file.prefix { $0 != "/" })
        #expect(examples.contains { $0.file == "Sources/\(file).swift" })
    }
}
