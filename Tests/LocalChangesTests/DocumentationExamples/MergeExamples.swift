import JSONText
import LocalChanges
import TestSupport
import Testing

/// The examples in the documentation of the types.
@Suite struct MergeExamples {
    @Test func `the example of ThreeWayMerge`() {
        // Example: Sources/LocalChanges/Merge/ThreeWayMerge.swift
        let merge = ThreeWayMerge(fields: ["Name", "Industry"])
        let outcome = merge.outcome(
            base: JSONObject([("Name", "Acme"), ("Industry", "Software")]),
            theirs: JSONObject([("Name", "Acme"), ("Industry", "Electronics")]),
            yours: JSONObject([("Name", "Acme2"), ("Industry", "Software")]), mode: .failIfConflict)
        guard case .merged(let record, let changes) = outcome else { return }
        // The record is Acme2 in Electronics; changes.remote is ["Industry"], changes.local ["Name"].
        // End of example
        #expect(JSONValue.object(record) == ["Name": "Acme2", "Industry": "Electronics"])
        #expect(changes.remote == ["Industry"] && changes.local == ["Name"])
    }

    @Test func `every example is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/LocalChanges")
        let compiled = try CodeExample.compiled(below: "Tests/LocalChangesTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
    }
}
