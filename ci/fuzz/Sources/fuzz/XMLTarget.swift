import XMLText

/// Puts an input through the tokenizer: whole and in pieces, token by token and by leaves, all must say the same, with
/// every error inside the document. The first byte chooses the size of the pieces.
enum XMLTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        let bytes = [UInt8](input.dropFirst())
        let whole = LeafLog.read(bytes, chunk: .max, byLeaves: false)
        if case .failure(let error) = whole {
            precondition(error.offset <= bytes.count, "an error outside of the document")
        }
        for (chunk, byLeaves) in [(Int.max, true), (1 + Int(first), false), (1 + Int(first), true)] {
            precondition(LeafLog.read(bytes, chunk: chunk, byLeaves: byLeaves) == whole, "the way of reading matters")
        }
    }
}
