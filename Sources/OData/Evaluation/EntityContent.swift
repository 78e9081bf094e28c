/// The content of a node: one of the kinds of JSON values, with numbers as text.
public enum EntityContent: Sendable {
    case null
    case boolean(Bool)
    case number(String)
    case text(String)
    case array
    case object
}
