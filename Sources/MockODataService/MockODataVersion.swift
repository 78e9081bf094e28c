/// A version of the protocol that a `MockODataService` speaks.
public enum MockODataVersion: String, Sendable, Hashable, CaseIterable {
    /// Atom and verbose JSON.
    case v2 = "2.0"
    /// Atom and JSON light.
    case v3 = "3.0"
    /// JSON.
    case v4 = "4.0"
    /// JSON, with control information without the prefix `odata.`.
    case v401 = "4.01"

    var isV4: Bool { self == .v4 || self == .v401 }
}
