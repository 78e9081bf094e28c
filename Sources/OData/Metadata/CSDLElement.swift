import Soups
import XMLText

/// An element of a metadata document with its content. Metadata documents are small enough to be kept as a tree. A
/// class, because lists of elements are filtered by name again and again.
final class CSDLElement {
    enum Space { case edm, edmx, other }

    let space: Space
    let name: String
    /// Attributes without a namespace.
    let attributes: [(name: String, value: String)]
    /// Attributes in a metadata namespace (`m:HasStream`), by their local names.
    let metadataAttributes: [(name: String, value: String)]
    private(set) var children: [CSDLElement] = []
    private(set) var text = ""
    /// Whether it is in the namespace of version 4, or in a JSON document.
    let isV4: Bool
    let offset: Int

    /// Creates the element of a start tag.
    private init(
        _ name: CSDLName, attributes: [(name: String, value: String)],
        metadataAttributes: [(name: String, value: String)], offset: Int
    ) {
        space = name.space
        isV4 = name.isV4
        self.name = name.local
        self.attributes = attributes
        self.metadataAttributes = metadataAttributes
        self.offset = offset
    }

    /// Creates an element that stands for a value of a JSON document.
    init(
        _ name: String, space: Space = .edm, _ attributes: [(name: String, value: String)] = [],
        children: [CSDLElement] = [], text: String = "", offset: Int
    ) {
        self.space = space
        self.name = name
        self.attributes = attributes
        metadataAttributes = []
        self.children = children
        self.text = text
        isV4 = true
        self.offset = offset
    }

    subscript(_ name: String) -> String? {
        // By index, so that no pair is copied.
        for index in attributes.indices where attributes[index].name.hasBytes(of: name) {
            return attributes[index].value
        }
        return nil
    }

    func metadata(_ name: String) -> String? {
        metadataAttributes.first { $0.name.hasBytes(of: name) }?.value
    }

    /// The children with the name in a CSDL namespace.
    func all(_ name: String) -> [CSDLElement] {
        children.filter { $0.space == .edm && $0.name.hasBytes(of: name) }
    }

    func fault(_ message: String) -> Fault { Fault(.invalidMetadata, message, offset: offset) }

    /// The value of a required attribute. Throws `invalidMetadata` if it is missing or empty.
    func required(_ name: String) throws(Fault) -> String {
        guard let value = self[name], !value.isEmpty else {
            throw fault("\(self.name): the attribute \(name) is missing")
        }
        return value
    }

    /// The value of a boolean attribute. Some services write it with a capital letter.
    func flag(_ name: String, default value: Bool) throws(Fault) -> Bool {
        guard let text = self[name] else {
            return value
        }
        switch text {
        case "true", "1", "True": return true
        case "false", "0", "False": return false
        default: throw fault("\(self.name): \(name) must be true or false")
        }
    }
}

extension CSDLElement {
    /// Reads a document and returns its root element. The tokenizer limits the depth. Throws `invalidXML` and the other
    /// XML faults.
    static func read(_ bytes: [UInt8], isDecodedText: Bool) throws(Fault) -> CSDLElement {
        var tokenizer = XMLTokenizer(encoding: isDecodedText ? .utf8 : nil)
        tokenizer.append(bytes)
        tokenizer.finish()
        var names = CSDLNames()
        var open: [CSDLElement] = []
        while true {
            let token: XMLToken
            do throws(XMLError) { token = try tokenizer.next() } catch { throw Fault(error) }
            switch token {
            case .startElement: open.append(start(tokenizer, &names))
            case .endElement:
                guard let closed = open.popLast() else { continue }
                guard !open.isEmpty else {
                    // The rest of the document after the root element must still be checked.
                    open = [closed]
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

    private static func start(_ tokenizer: borrowing XMLTokenizer, _ names: inout CSDLNames) -> CSDLElement {
        let elementName = names.name(tokenizer.name, in: tokenizer)
        var attributes: [(name: String, value: String)] = []
        var metadataAttributes: [(name: String, value: String)] = []
        for index in 0..<tokenizer.attributeCount {
            let name = names.name(tokenizer.attributeName(index), in: tokenizer)
            if name.hasNoNamespace {
                attributes.append((name.local, tokenizer.attributeText(index)))
            } else if name.isMetadata {
                metadataAttributes.append((name.local, tokenizer.attributeText(index)))
            }
        }
        return CSDLElement(
            elementName, attributes: attributes, metadataAttributes: metadataAttributes, offset: tokenizer.offset)
    }
}
