/// A relation of the rows of one soup to rows of another, for `$expand`.
///
/// ```swift
/// let items = SoupRelation("Items", soup: "Items", local: ["OrderID"], foreign: ["OrderID"], isCollection: true)
/// ```
///
/// Two keys meet when both are texts and equal by their Unicode scalars, both numbers and equal by value, or both
/// booleans and equal. A text and a number never meet; null and missing values meet nothing. A key of several paths
/// compares all of them.
public struct SoupRelation: Sendable, Hashable {
    /// The name under which `$expand` shows the related rows.
    public let name: String
    /// The soup of the related rows.
    public let soup: String
    /// The paths of the key in the row; names are joined by a dot.
    public let local: [String]
    /// The paths of the key in the related rows, in the same order.
    public let foreign: [String]
    /// Whether a row may have many related rows, which are shown as an array; otherwise one or null.
    public let isCollection: Bool
    /// The types of the rows that have the key in them; nil for all.
    let localTypes: RowTypes?
    /// The types of the related rows; nil for all.
    let foreignTypes: RowTypes?

    /// Creates a relation. `local` and `foreign` have as many paths as the key has parts; a query checks that.
    public init(_ name: String, soup: String, local: [String], foreign: [String], isCollection: Bool) {
        self.init(
            name, soup: soup, local: local, foreign: foreign, isCollection: isCollection, localTypes: nil,
            foreignTypes: nil)
    }

    init(
        _ name: String, soup: String, local: [String], foreign: [String], isCollection: Bool,
        localTypes: RowTypes? = nil, foreignTypes: RowTypes? = nil
    ) {
        self.localTypes = localTypes
        self.foreignTypes = foreignTypes
        self.name = name
        self.soup = soup
        self.local = local
        self.foreign = foreign
        self.isCollection = isCollection
    }
}
