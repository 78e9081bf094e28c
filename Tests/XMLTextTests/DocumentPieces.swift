import XMLText

/// Passes a document to a tokenizer piece by piece whenever it needs input, and then finishes it.
struct DocumentPieces {
    private let document: [UInt8]
    private let size: Int
    private var offset = 0

    init(_ document: [UInt8], of size: Int) {
        self.document = document
        self.size = size
    }

    mutating func give(to tokenizer: inout XMLTokenizer) {
        guard offset < document.count else {
            return tokenizer.finish()
        }
        let end = document.count - offset <= size ? document.count : offset + size
        document[offset..<end].withUnsafeBytes { tokenizer.append($0) }
        offset = end
    }
}
