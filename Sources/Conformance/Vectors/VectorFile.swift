/// Holds one vector file: an area, its fixtures by name and its cases in order. Source: the format of conformance
/// vectors, version 1.
public struct VectorFile: Sendable {
    /// Where it was read from, for messages.
    public let path: String
    public let area: String
    public let about: String?
    public let fixtures: [VectorFixture]
    public let cases: [VectorCase]
}
