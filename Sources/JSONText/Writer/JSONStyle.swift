/// How a value is laid out as text.
public enum JSONStyle: Sendable, Hashable {
    /// No white space, members in their order, numbers as they are held.
    case compact
    /// A member or element per line, indented by two blanks; empty objects and arrays in one piece.
    case pretty
    /// Equal values give equal bytes: compact, members in the order of their names' bytes, numbers in one form for each
    /// decimal value (`1.0` and `10e-1` are written `1`).
    case canonical
}
