import Soups
import XMLText

/// An element of a metadata document with its content. Metadata documents are small enough to be kept as a tree.
struct CSDLElement {
    enum Space { case edm, edmx, other }

    var space: Space
    var name: String
    /// Attributes without a namespace.
    var attributes: [(name: String, value: String)] = []
    /// Attributes in a metadata namespace (`m:HasStream`), by their local names.
    var metadataAttributes: [(name: String, value: String)] = []
    var children: [CSDLElement] = []
    var text = ""
    var offset: Int

    subscript(_ name: String) -> String? { attributes.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

    func metadata(_ name: String) -> String? {
        metadataAttributes.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The children with the name in a CSDL namespace.
    func all(_ name: String) -> [CSDLElement] {
        children.filter { $0.space == .edm && $0.name.utf8.elementsEqual(name.utf8) }
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
    private static let edm: [String] = [
        "http://schemas.microsoft.com/ado/2006/04/edm", "http://schemas.microsoft.com/ado/2007/05/edm",
        "http://schemas.microsoft.com/ado/2008/01/edm",
        "http://schemas.microsoft.com/ado/2008/09/edm", "http://schemas.microsoft.com/ado/2009/08/edm",
        "http://schemas.microsoft.com/ado/2009/11/edm",
        "http://docs.oasis-open.org/odata/ns/edm",
    ]
    private static let edmx: [String] = [
        "http://schemas.microsoft.com/ado/2007/06/edmx", "http://schemas.microsoft.com/ado/2008/10/edmx",
        "http://schemas.microsoft.com/ado/2009/11/edmx",
        "http://docs.oasis-open.org/odata/ns/edmx",
    ]

    private static func space(of namespace: String) -> Space {
        if edm.contains(where: { $0.utf8.elementsEqual(namespace.utf8) }) {
            return .edm
        }
        return edmx.contains { $0.utf8.elementsEqual(namespace.utf8) } ? .edmx : .other
    }

    /// Reads a document and returns its root element. The tokenizer limits the depth. Throws `invalidXML` and the other
    /// XML faults.
    static func read(_ bytes: [UInt8], isDecodedText: Bool) throws(Fault) -> CSDLElement {
        var tokenizer = XMLTokenizer(encoding: isDecodedText ? .utf8 : nil)
        tokenizer.append(bytes)
        tokenizer.finish()
        var open: [CSDLElement] = []
        while true {
            let token: XMLToken
            do throws(XMLError) { token = try tokenizer.next() } catch { throw Fault(error) }
            switch token {
            case .startElement: open.append(start(tokenizer))
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

    private static func start(_ tokenizer: borrowing XMLTokenizer) -> CSDLElement {
        var element = CSDLElement(
            space: space(of: tokenizer.namespace(of: tokenizer.name)), name: tokenizer.localName(of: tokenizer.name),
            offset: tokenizer.offset)
        for index in 0..<tokenizer.attributeCount {
            let name = tokenizer.attributeName(index)
            let namespace = tokenizer.namespace(of: name)
            let attribute = (tokenizer.localName(of: name), tokenizer.attributeText(index))
            if namespace.isEmpty {
                element.attributes.append(attribute)
            } else if namespace.utf8.elementsEqual(AtomRole.metadataURI.utf8) {
                element.metadataAttributes.append(attribute)
            }
        }
        return element
    }
}
