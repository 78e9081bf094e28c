/// Encodes values as JSON text, without a tree of values.
///
/// ```swift
/// let encoder = EntryEncoder()
/// let text = try encoder.encode(Contact(name: "Ada"))
/// ```
///
/// It writes what `JSONEncoder` writes, as values: doubles as the shortest text that reads back equal, `-0.0` with its
/// sign; infinities and NaN throw. Containers may be filled in any order, also a parent after its child. The order of
/// members is that in which they are encoded. A type that encodes two members with one name gets both, where
/// `JSONEncoder` keeps the last; a store refuses them.
///
/// Reuse an encoder: it keeps its memory. Not for two threads at once.
public final class EntryEncoder {
    private let state: EncodingState

    /// Creates an encoder.
    public init(_ options: CodingOptions = .init()) { state = EncodingState(options) }

    /// Encodes a value. O(n) in the bytes of its text.
    ///
    /// - Throws: `EncodingError`, and what the type throws.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        var output: [UInt8] = []
        try append(value, to: &output)
        return output
    }

    /// Encodes a value and appends its text. The output is not changed if that throws.
    ///
    /// - Throws: as `encode`.
    public func append(_ value: some Encodable, to output: inout [UInt8]) throws {
        let root = state.take()
        defer { state.giveBack(root) }
        try ValueEncoder(state: state, node: root, parent: nil, key: nil).write(value)
        guard root.kind != .undecided else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "the value encoded nothing"))
        }
        root.append(to: &output)
    }
}
