import XMLText

/// Logs the elements, attributes and texts of a document, token by token or by leaves without indentation. Both must
/// give the same log.
///
/// The fuzz target `xml` compares them too.
enum LeafLog {
    static func read(_ document: [UInt8], chunk: Int, byLeaves: Bool) -> Result<String, XMLError> {
        var tokenizer = XMLTokenizer()
        tokenizer.passesIndentation = byLeaves
        var pieces = DocumentPieces(document, of: chunk)
        var log = ""
        var text: [UInt8] = []
        func flush() {
            let isIndentation = text.first == 0x0A && text.dropFirst().allSatisfy { $0 == 0x20 }
            if !text.isEmpty, !isIndentation {
                log += "\nT" + String(decoding: text, as: UTF8.self)
            }
            text.removeAll(keepingCapacity: true)
        }
        do throws(XMLError) {
            while true {
                switch try tokenizer.next() {
                case .needsInput: pieces.give(to: &tokenizer)
                case .startElement:
                    flush()
                    let name = tokenizer.localName(of: tokenizer.name)
                    log += "\nS\(name) \(tokenizer.offset)"
                    for index in 0..<tokenizer.attributeCount {
                        let value = String(decoding: tokenizer.attributeValue(index), as: UTF8.self)
                        log += "\nA\(tokenizer.localName(of: tokenizer.attributeName(index)))=\(value)"
                    }
                    if byLeaves, let leaf = tokenizer.readLeaf() {
                        text += leaf
                        flush()
                        log += "\nE\(name)"
                    }
                case .endElement:
                    flush()
                    log += "\nE\(tokenizer.localName(of: tokenizer.name))"
                case .text: text += tokenizer.text
                case .comment, .processingInstruction:
                    flush()
                    log += "\nC"
                case .endOfDocument: return .success(log)
                }
            }
        } catch {
            return .failure(error)
        }
    }
}
