import JSONText
import OData
import Soups

/// Reads rows of the store as nodes: as far as the filter and the order of a query look at them, if that is known.
///
/// The store has checked the rows when they were written.
final class RowTape {
    private let whole: JSONTape
    private let part: PartialTape?

    /// The most names that are looked for among the members of a row.
    private static let maximumNames = 8

    convenience init(_ options: PreparedOptions) { self.init(names: options.readMembers) }

    /// Reads rows as far as some of their members need it; all of them without names, or with many.
    init(names: [String]?) {
        whole = JSONTape(options: .storedEntry)
        part = names.flatMap { names in
            names.count <= Self.maximumNames ? PartialTape(names: names, maximumDepth: JSONOptions.greatestDepth) : nil
        }
    }

    /// Lends a row to a closure, which must not read another one.
    func withRow<R>(
        _ text: UnsafeRawBufferPointer, _ body: (RowNode) throws(Fault) -> R
    ) throws(Fault) -> R {
        do throws(JSONError) {
            if let part {
                try part.read(text)
            } else {
                try whole.read(text)
            }
        } catch {
            throw Fault(.corrupt, "a stored entry is not valid JSON: \(error.message)", offset: error.offset)
        }
        if let part {
            // Nodes do not keep the tape alive; this object does.
            return try body(RowNode(part.node))
        }
        return try whole.withRoot { (root) throws(Fault) in try body(RowNode(root)) }
    }
}
