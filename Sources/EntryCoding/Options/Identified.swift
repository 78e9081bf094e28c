/// A value with the system fields of the entry that it was read from.
public struct Identified<Value>: Identifiable {
    /// The id of the entry.
    public let id: Int64
    /// When the entry was last written, in milliseconds since 1970.
    public let lastModified: Int64
    /// The value.
    public var value: Value

    /// Creates a value for an entry that exists, to be written with `update`.
    public init(id: Int64, lastModified: Int64 = 0, value: Value) {
        self.id = id
        self.lastModified = lastModified
        self.value = value
    }
}

extension Identified: Sendable where Value: Sendable {}
extension Identified: Equatable where Value: Equatable {}
extension Identified: Hashable where Value: Hashable {}
