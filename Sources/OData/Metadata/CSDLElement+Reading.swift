import Soups
import XMLText

extension CSDLElement {
    /// Reads a document and returns its root element. The tokenizer limits the depth. Throws `invalidXML` and the other
    /// XML faults.
    static func read(_ bytes: [UInt8], isDecodedText: Bool) throws(Fault) -> CSDLElement {
        var tokenizer = XMLTokenizer(encoding: isDecodedText ? .utf8 : nil)
        tokenizer.append(bytes)
        tokenizer.finish()
        var names = CSDLNames()
        var open: [OpenElement] = []
        while true {
            let token: XMLToken
            do throws(XMLError) { token = try tokenizer.next() } catch { throw Fault(error) }
            switch token {
            case .startElement: open.append(OpenElement(tokenizer, &names))
            case .endElement:
                guard let closed = open.popLast()?.element else { continue }
                guard !open.isEmpty else {
                    // The rest of the document after the root element must still be checked.
                    while true {
                        do throws(XMLError) {
                            if try tokenizer.next() == .endOfDocument {
                                return closed
                            }
                        } catch { throw Fault(error) }
                    }
                }
                open[open.count - 1].children.append(closed)
            case .text:
                if !open.isEmpty {
                    open[open.count - 1].text += String(decoding: tokenizer.text, as: UTF8.self)
                }
            case .comment, .processingInstruction: continue
            case .needsInput, .endOfDocument:
                throw Fault(.truncated, "unexpected end of the document", offset: bytes.count)
            }
        }
    }
}

/// An element whose end was not read yet.
private struct OpenElement {
    private let name: CSDLName
    private var attributes: CSDLElement.Attributes = []
    private var metadataAttributes: CSDLElement.Attributes = []
    private let offset: Int
    var children: [CSDLElement] = []
    var text = ""

    /// Creates an element from its start tag.
    init(_ tokenizer: borrowing XMLTokenizer, _ names: inout CSDLNames) {
        name = names.name(tokenizer.name, in: tokenizer)
        offset = tokenizer.offset
        for index in 0..<tokenizer.attributeCount {
            let name = names.name(tokenizer.attributeName(index), in: tokenizer)
            guard name.word != .other else { continue }
            if name.hasNoNamespace {
                attributes.append((name.word, tokenizer.attributeText(index)))
            } else if name.isMetadata {
                metadataAttributes.append((name.word, tokenizer.attributeText(index)))
            }
        }
    }

    /// The element with its content.
    var element: CSDLElement {
        CSDLElement(
            name, attributes: attributes, metadataAttributes: metadataAttributes, children: children, text: text,
            offset: offset)
    }
}
