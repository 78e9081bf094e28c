import XMLText

/// An element of a document that was read as a whole.
struct XMLNode {
    var name = ""
    var namespace = ""
    var attributes: [(namespace: String, name: String, value: String)] = []
    var children: [XMLNode] = []
    var text = ""

    /// The root of a document. Throws 400 for one that is not well-formed.
    static func root(of bytes: [UInt8]) throws(Refusal) -> XMLNode {
        do {
            return try read(bytes)
        } catch {
            throw .malformed("the body is not XML: \(error.message)")
        }
    }

    private static func read(_ bytes: [UInt8]) throws(XMLError) -> XMLNode {
        var tokenizer = XMLTokenizer()
        tokenizer.append(bytes)
        tokenizer.finish()
        var open = [XMLNode()]
        while true {
            switch try tokenizer.next() {
            case .startElement:
                var node = XMLNode()
                node.name = tokenizer.localName(of: tokenizer.name)
                node.namespace = tokenizer.namespace(of: tokenizer.name)
                for index in 0..<tokenizer.attributeCount {
                    let name = tokenizer.attributeName(index)
                    node.attributes.append(
                        (
                            tokenizer.namespace(of: name), tokenizer.localName(of: name),
                            tokenizer.attributeText(index)
                        ))
                }
                open.append(node)
            case .endElement:
                let node = open.removeLast()
                open[open.count - 1].children.append(node)
            case .text: open[open.count - 1].text += String(decoding: tokenizer.text, as: UTF8.self)
            case .comment, .processingInstruction, .needsInput: break
            case .endOfDocument: return open[0].children.first ?? XMLNode()
            }
        }
    }

    /// The value of an attribute by its local name.
    subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    func children(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }
    func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// All elements of a name below this one.
    func descendants(_ name: String) -> [XMLNode] {
        children.flatMap { ($0.name == name ? [$0] : []) + $0.descendants(name) }
    }
}
