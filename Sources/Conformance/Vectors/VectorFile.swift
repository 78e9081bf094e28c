/// One vector file: an area, its fixtures by name and its cases in order, in version 1 of the format.
public struct VectorFile: Sendable {
    /// The path of the file, for messages.
    public let path: String
    public let area: String
    public let about: String?
    public let fixtures: [VectorFixture]
    public let cases: [VectorCase]
}
