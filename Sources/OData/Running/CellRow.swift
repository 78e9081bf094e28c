import Soups

/// A row of which only the text at one path is known: what a cell of an index says of it.
package struct CellRow: EntityNode {
    /// The names of the path that are still to go.
    private let names: ArraySlice<String>
    /// The text; nil for null.
    private let text: String?

    package init(_ names: [String], text: String?) { self.init(names[...], text: text) }

    private init(_ names: ArraySlice<String>, text: String?) {
        self.names = names
        self.text = text
    }

    package var content: EntityContent {
        guard names.isEmpty else { return .object }
        return text.map { .text($0) } ?? .null
    }

    package func member(_ name: String) -> CellRow? {
        guard let first = names.first, first.hasBytes(of: name) else { return nil }
        return CellRow(names.dropFirst(), text: text)
    }

    package var elements: [CellRow]? { nil }

    package var memberNames: [String]? { names.first.map { [$0] } }
}
