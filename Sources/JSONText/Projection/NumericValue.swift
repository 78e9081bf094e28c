/// A value of a numeric index.
public enum NumericValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
}
