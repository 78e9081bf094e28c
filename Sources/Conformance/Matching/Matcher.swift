public import JSONText

/// Says what a result must be; made from the JSON of `returns` when the file is read.
public indirect enum Matcher: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    /// Element by element, same length.
    case array([Matcher])
    /// Every member listed must match, further ones are allowed.
    case object([(name: String, matcher: Matcher)])

    /// The member must not be there.
    case absent
    /// The same elements in any order.
    case unordered([Matcher])
    /// An array of that many elements, whatever they are.
    case length(Int)
    case kind(Kind)
    /// What an earlier step kept.
    case saved(SavedPath)
    /// Any of them; the report says which.
    case oneOf([Matcher])
    /// A number within a relative difference of 1e-9.
    case close(Double)

    /// The matchers by type.
    public enum Kind: String, Sendable, CaseIterable {
        case any = "$any"
        case integer = "$integer"
        case number = "$number"
        case string = "$string"
        case boolean = "$boolean"
    }
}
