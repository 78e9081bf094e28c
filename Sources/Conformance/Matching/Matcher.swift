public import JSONText

/// An expectation of a result, created from the JSON of `returns` when the file is read.
public indirect enum Matcher: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    /// Element by element, same length.
    case array([Matcher])
    /// Every listed member must match; other members are allowed.
    case object([(name: String, matcher: Matcher)])

    /// The member must be absent.
    case absent
    /// The same elements in any order.
    case unordered([Matcher])
    /// An array with this number of elements.
    case length(Int)
    case kind(Kind)
    /// A value that an earlier step saved.
    case saved(SavedPath)
    /// One of the alternatives; the report says which one matched.
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

    /// The matchers that are the only member of an object.
    enum Operator: String, CaseIterable {
        case absent = "$absent"
        case unordered = "$unordered"
        case length = "$length"
        case oneOf = "$oneOf"
        case close = "$close"
    }

    /// Every word that is special in an expectation: matchers by type, `$saved`, and those in objects.
    public static let words: [String] =
        Kind.allCases.map(\.rawValue) + [String(SavedPath.prefix.dropLast())] + Operator.allCases.map(\.rawValue)
}
