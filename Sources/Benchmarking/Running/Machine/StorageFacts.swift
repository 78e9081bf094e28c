public import JSONText

/// Describes the storage that a run measures: facts for the fingerprint and for run.json.
public struct StorageFacts: Sendable {
    /// Versions and build options of the libraries: runs with different ones are not compared.
    public let identity: String
    /// The libraries in detail.
    public let libraries: JSONValue
    /// Why libraries could not be loaded.
    public let missing: [String]
    /// The settings of each arm's storage, by the name of its back end.
    public let arms: JSONValue

    public init(identity: String, libraries: JSONValue, missing: [String], arms: JSONValue) {
        self.identity = identity
        self.libraries = libraries
        self.missing = missing
        self.arms = arms
    }
}
