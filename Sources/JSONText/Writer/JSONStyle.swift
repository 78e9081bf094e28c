/// The layout of a value as text.
public enum JSONStyle: Sendable, Hashable {
    /// No white space, members in order, numbers with their own text.
    case compact
    /// One member or element per line, indented by two spaces; empty objects and arrays without line breaks.
    case pretty
    /// Equal values have equal bytes: compact, members sorted by the bytes of their names, numbers in one form for each
    /// decimal value (`1.0` and `10e-1` are written as `1`).
    case canonical
}
