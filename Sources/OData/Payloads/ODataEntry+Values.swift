public import Soups

extension ODataEntry {
    /// Returns the value of a property as a Swift type; nil if it is null or the payload does not have it.
    ///
    /// ```swift
    /// let name: String? = try entry.value("Name")
    /// let price = try entry.value("Price", as: EdmDecimal.self)
    /// ```
    ///
    /// Throws `typeMismatch` for a value that the type does not hold, such as a text for an `Int`, or 3,000,000,000 for
    /// an `Int32`. O(n) in the number of properties.
    public func value<Value: ODataConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(Fault) -> Value? {
        guard let found = self[name], !found.isNull else { return nil }
        guard let value = Value(found) else {
            throw Fault(
                .typeMismatch, "the property does not hold a value of the type \(Value.self)", context: [.path(name)])
        }
        return value
    }

    /// Returns the entries of an expanded navigation property: none or one if it leads to a single entity; nil if the
    /// payload does not have it.
    public func related(_ name: String) -> [ODataEntry]? {
        guard let found = navigation.first(where: { $0.name.hasBytes(of: name) }) else { return nil }
        return switch found.content {
        case .null: []
        case .entry(let entry): [entry]
        case .feed(let feed): feed.entries
        }
    }
}
