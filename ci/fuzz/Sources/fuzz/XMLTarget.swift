import XMLText

/// Puts an input through the tokenizer: whole and in pieces, token by token and by leaves, all must say the same, with every error inside the document.
/// The first byte chooses the size of the pieces.
enum XMLTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        let bytes = [UInt8](input.dropFirst())
        let whole = read(bytes, chunk: .max, byLeaves: false)
        for (chunk, byLeaves) in [(Int.max, true), (1 + Int(first), false), (1 + Int(first), true)] {
            precondition(read(bytes, chunk: chunk, byLeaves: byLeaves) == whole, "the way of reading matters")
        }
    }

    /// Start and end tags, attributes, texts without indentation, and how it ends.
    private static func read(_ bytes: [UInt8], chunk: Int, byLeaves: Bool) -> [UInt8] {
        var tokenizer = XMLTokenizer()
        tokenizer.passesIndentation = byLeaves
        var log: [UInt8] = []
        var text: [UInt8] = []
        func flush() {
            let isIndentation = text.first == 0x0A && text.dropFirst().allSatisfy { $0 == 0x20 }
            if !text.isEmpty, !isIndentation { log += [UInt8(ascii: "T")] + text }
            text.removeAll(keepingCapacity: true)
        }
        var place = 0
        do throws(XMLError) {
            while true {
                switch try tokenizer.next() {
                case .needsInput:
                    if place < bytes.count {
                        let end = bytes.count - place <= chunk ? bytes.count : place + chunk
                        tokenizer.append(Array(bytes[place..<end]))
                        place = end
                    } else {
                        tokenizer.finish()
                    }
                case .startElement:
                    flush()
                    log += Array("S\(tokenizer.name.index) \(tokenizer.offset)".utf8)
                    for index in 0..<tokenizer.attributeCount {
                        log += Array("A\(tokenizer.attributeName(index).index)".utf8) + Array(tokenizer.attributeValue(index))
                    }
                    if byLeaves, let leaf = tokenizer.readLeaf() {
                        text += leaf
                        flush()
                        log.append(UInt8(ascii: "E"))
                    }
                case .endElement:
                    flush()
                    log.append(UInt8(ascii: "E"))
                case .text: text += tokenizer.text
                case .comment, .processingInstruction:
                    flush()
                    log.append(UInt8(ascii: "C"))
                case .endOfDocument: return log
                }
            }
        } catch {
            precondition(error.offset <= bytes.count, "an error outside of the document")
            return Array("\(error.code.rawValue) \(error.offset)".utf8)
        }
    }
}
