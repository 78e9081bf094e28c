public import Soups

/// Builds the condition of a `$filter` from Swift values, so that no value can change the meaning of the text: strings
/// are quoted, and a name that is not the path of a property is refused.
///
/// ```swift
/// let filter = try ODataFilterBuilder.field("Name").equals("O'Neil").and(.field("Price").isGreater(than: 3))
/// let text = try filter.text()
/// let query = try filter.query()
/// ```
///
/// A builder is a plain value without a version; the version decides how literals are written when the text is made.
public struct ODataFilterBuilder: Sendable {
    indirect enum Condition: Sendable {
        case comparison(Field, String, ODataValue)
        case function(String, Field, String)
        case membership(Field, [ODataValue])
        /// Two or more conditions.
        case and([Condition])
        case or([Condition])
        case not(Condition)
        case lambda(Field, String, Condition?)
    }

    let condition: Condition

    /// Makes a property that is compared. Throws `syntax` for a text that is not a path such as `Name`, `Address/City`
    /// or `Items/$count`, whatever else it may mean in an expression.
    public static func field(_ path: String) throws(Fault) -> Field { try Field(path) }

    /// The member itself, in a condition about a member of a collection of values:
    /// `field("Tags").any(.item.equals("a"))`.
    public static var item: Field { Field() }

    /// Makes a condition that holds if both hold.
    public func and(_ other: ODataFilterBuilder) -> ODataFilterBuilder {
        var all: [Condition] = if case .and(let all) = condition { all } else { [condition] }
        all.append(other.condition)
        return .init(.and(all))
    }

    /// Makes a condition that holds if one of them holds.
    public func or(_ other: ODataFilterBuilder) -> ODataFilterBuilder {
        var all: [Condition] = if case .or(let all) = condition { all } else { [condition] }
        all.append(other.condition)
        return .init(.or(all))
    }

    /// A condition that holds if this one does not.
    public var negated: ODataFilterBuilder { .init(.not(condition)) }

    /// Returns the condition in canonical text, not percent-encoded. Parsing it and printing the tree gives the same
    /// text.
    ///
    /// Throws `unsupported` or `syntax` for a value or an operator that the version cannot express.
    public func text(for version: ODataVersion = .v4) throws(Fault) -> String {
        try expression(for: version).canonicalText
    }

    /// Returns the condition as a query option, percent-encoded: `$filter=...`. Throws what `text(for:)` throws.
    public func query(for version: ODataVersion = .v4) throws(Fault) -> String {
        "$filter=" + PercentEncoding.encode(try text(for: version), for: .queryValue)
    }

    /// Returns the condition as a tree, for ``ODataEvaluator`` and ``QueryOptions``. Throws what `text(for:)` throws.
    public func expression(for version: ODataVersion = .v4) throws(Fault) -> ODataExpression {
        let writer = FilterWriter(version: version)
        return try ODataExpression(parsing: try writer.text(of: condition), version: version)
    }

    init(_ condition: Condition) { self.condition = condition }
}
