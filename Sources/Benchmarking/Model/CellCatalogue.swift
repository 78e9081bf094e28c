package import JSONText
package import Soups

/// Holds the cells of a program, and what they measure with.
///
/// The engine has no cells of its own: runners, workers and reports are given a catalogue.
package protocol CellCatalogue: Sendable {
    /// Returns all cells of a scope, in the order of reports. `PlannedCell` decides which of them a run measures.
    ///
    /// Must be cheap: data is generated only when a cell prepares.
    func cells(_ scope: CellScope) -> [Cell]

    /// Returns the corpora that the cells of a scope measure with, in the order of their sizes.
    func corpora(_ scope: CellScope) -> [Corpus]

    /// Reads documents that `OwnDocuments.json` described.
    ///
    /// - Throws: `invalidArguments` if the description is not valid.
    func documents(json: JSONValue) throws(Fault) -> any OwnDocuments

    /// Finds the libraries that store the documents, and the settings they run with.
    func storage() -> StorageFacts
}
