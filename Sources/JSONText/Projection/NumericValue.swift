/// What an index of integers or floating-point numbers holds.
public enum NumericValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
}
