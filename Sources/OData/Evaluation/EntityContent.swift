/// The content of a node: one of the kinds of JSON values, with numbers as text, or a value of a known type.
public enum EntityContent: Sendable {
    /// The literal `null`.
    case null
    /// A boolean.
    case boolean(Bool)
    /// A number as written, so that it keeps all its digits.
    case number(String)
    /// A string without escapes.
    case text(String)
    /// A value of a known type, neither complex nor a collection.
    case value(ODataValue)
    /// An array; its elements are `elements` of the node.
    case array
    /// An object; its members are `memberNames` and `member(_:)` of the node.
    case object
}
