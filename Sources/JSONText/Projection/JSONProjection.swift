/// Reads a document once: checks it and finds the values at a set of paths.
///
/// Reuse a projection for many documents: it keeps its memory and then reads without allocations. The bytes of the
/// document must stay valid until the last value was read. Not for use by two threads at once.
///
/// A duplicate member name is an error (`duplicateName`) on every level, whatever the options, because the path would
/// be ambiguous. A path through an array collects values: the rest of the path is applied to each element, results that
/// are null or missing are dropped, and arrays inside arrays stay arrays. If nothing remains the value is `missing`
/// (SmartStore, "Using Arrays in Index Paths").
public final class JSONProjection {
    /// Not for two threads, and no call comes back while it is accessed: a check in each access would cost as much as
    /// finding a value.
    @exclusivity(unchecked) var state: ProjectionState
    private let options: JSONOptions

    /// Creates a projection of compiled paths. The options limit the depth and length of a document.
    public init(paths: JSONPathSet, options: JSONOptions = .default) {
        state = ProjectionState(paths)
        self.options = options
    }

    /// Checks the document and finds the values. O(n) in the number of its bytes.
    ///
    /// After an error there are no values until another document is read.
    public func read(_ document: UnsafeRawBufferPointer) throws(JSONError) { try read(document, requiresObject: false) }

    func read(_ document: UnsafeRawBufferPointer, requiresObject: Bool) throws(JSONError) {
        do throws(ScanFailure) {
            try state.read(document, options, requiresObject: requiresObject)
        } catch {
            throw JSONError(error)
        }
    }

    /// Returns the value of the path with an index.
    public func value(_ path: Int) -> ProjectedValue { state.value(path) }

    /// Returns the text for a string index: a string decoded, a number as written, `true` or `false`, an object or
    /// array (also a collected one) as compact JSON; nil for null and missing values.
    ///
    /// The bytes are part of the document or created once for the path. They are valid until the next document is read,
    /// and only while this object exists.
    public func text(of path: Int) -> UnsafeRawBufferPointer? { state.text(of: path) }

    /// Returns the value as compact JSON text, a string as written with its quotes; nil for a missing value. The bytes
    /// are valid as long as those of `text(of:)`.
    public func json(of path: Int) -> UnsafeRawBufferPointer? { state.json(of: path) }

    /// Returns the number for a numeric index.
    public func numeric(of path: Int) -> NumericValue { state.numeric(of: path) }
}
