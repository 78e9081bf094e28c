/// A name and its value: a header, or a part of a query.
public struct Pair: Sendable, Hashable {
    /// The name of the header or the parameter.
    public var name: String
    /// The value, not encoded.
    public var value: String

    /// Creates a pair.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
