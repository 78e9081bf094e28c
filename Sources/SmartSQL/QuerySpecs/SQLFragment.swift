import Soups

/// A part of a statement with the values of its `?`, in order.
struct SQLFragment: Sendable {
    var text: String
    var bindings: [SQLValue] = []

    static func joined(_ parts: [SQLFragment], by separator: String) -> SQLFragment {
        SQLFragment(text: parts.map(\.text).joined(separator: separator), bindings: parts.flatMap(\.bindings))
    }
}
