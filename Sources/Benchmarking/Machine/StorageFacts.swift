package import JSONText

/// Describes the storage that a run measures: facts for the fingerprint and for run.json.
package struct StorageFacts: Sendable {
    /// Versions and build options of the libraries: runs with different ones are not compared.
    package let identity: String
    /// The libraries in detail.
    package let libraries: JSONValue
    /// Why libraries could not be loaded.
    package let missing: [String]
    /// The settings of each arm's storage, by the name of its back end.
    package let arms: JSONValue

    package init(identity: String, libraries: JSONValue, missing: [String], arms: JSONValue) {
        self.identity = identity
        self.libraries = libraries
        self.missing = missing
        self.arms = arms
    }
}
