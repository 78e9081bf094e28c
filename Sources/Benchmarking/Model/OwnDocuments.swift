package import JSONText

/// Describes documents of the user that cells can measure with. Only the catalogue knows what is in them.
package protocol OwnDocuments: Sendable {
    var corpus: Corpus { get }
    /// What a worker needs to read the same documents; `CellCatalogue.documents(json:)` reads it back.
    var json: JSONValue { get }
}
