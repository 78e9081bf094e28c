/// Reads a document once: checks it and finds the values at a set of paths.
///
/// Reuse one for many documents: it keeps its memory, and reading then allocates nothing. The document's bytes must
/// stay where they are until the last value has been asked for. Not for use by two threads at once.
///
/// A member name twice in one object is an error (`duplicateName`) on every level, whatever the options: which value a
/// path means would be a guess. Paths through arrays collect: the rest of the path is applied to each element, results
/// that are null or missing are dropped, arrays within arrays stay arrays, and where nothing remains the value is
/// `missing` (SmartStore, "Using Arrays in Index Paths").
public final class JSONProjection {
    var state: ProjectionState
    private let options: JSONOptions

    /// Takes compiled paths; the options set how deep and how long a document may be.
    public init(paths: JSONPathSet, options: JSONOptions = .default) {
        state = ProjectionState(paths)
        self.options = options
    }

    /// Checks the document and finds the values. Linear in its bytes.
    ///
    /// After an error there are no values until the next document.
    public func read(_ document: UnsafeRawBufferPointer) throws(JSONError) { try read(document, requiresObject: false) }

    func read(_ document: UnsafeRawBufferPointer, requiresObject: Bool) throws(JSONError) {
        do throws(ScanFailure) {
            try state.read(document, options, requiresObject: requiresObject)
        } catch {
            throw JSONError(error)
        }
    }

    /// What the path of that place leads to.
    public func value(_ path: Int) -> ProjectedValue { state.value(path) }

    /// The text that an index of strings holds: a string decoded, a number as written, `true` or `false`, an object or
    /// array (also a collected one) as compact JSON; nil for null and missing.
    ///
    /// The bytes are part of the document or made once for the path; they stay where they are until the next document
    /// is read, as long as this object lives.
    public func text(of path: Int) -> UnsafeRawBufferPointer? { state.text(of: path) }

    /// The value as compact JSON text, a string with its quotes as it is written; nil where it is missing. Valid as
    /// `text(of:)` is.
    public func json(of path: Int) -> UnsafeRawBufferPointer? { state.json(of: path) }

    /// The number that an index of numbers holds.
    public func numeric(of path: Int) -> NumericValue { state.numeric(of: path) }
}
