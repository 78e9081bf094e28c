import XMLText

/// The name of an element or attribute of a metadata document.
struct CSDLName {
    let local: String
    /// The local name, if it is one that a model is made from.
    let word: CSDLWord
    let space: CSDLElement.Space
    /// Whether it is in the namespace of version 4.
    let isV4: Bool
    let hasNoNamespace: Bool
    /// Whether it is in one of the namespaces of metadata and annotations of versions 1.0 to 3.0.
    let isMetadata: Bool
}

/// The names of a document by their numbers in the tokenizer, so that the text of each is made once.
struct CSDLNames {
    private var names: [CSDLName?] = []

    mutating func name(_ name: XMLName, in tokenizer: borrowing XMLTokenizer) -> CSDLName {
        let index = Int(name.index)
        if index < names.count, let known = names[index] {
            return known
        }
        let namespace = tokenizer.namespace(of: name)
        let local = tokenizer.localName(of: name)
        let new = CSDLName(
            local: local, word: CSDLWord(bytes: local), space: Self.space(of: namespace),
            isV4: namespace.hasBytes(of: "http://docs.oasis-open.org/odata/ns/edm"), hasNoNamespace: namespace.isEmpty,
            isMetadata: namespace.hasBytes(of: AtomRole.metadataURI) || namespace.hasBytes(of: Self.annotationURI))
        while names.count <= index {
            names.append(nil)
        }
        names[index] = new
        return new
    }

    private static let annotationURI = "http://schemas.microsoft.com/ado/2009/02/edm/annotation"
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

    private static func space(of namespace: String) -> CSDLElement.Space {
        if edm.contains(where: { $0.hasBytes(of: namespace) }) {
            return .edm
        }
        return edmx.contains { $0.hasBytes(of: namespace) } ? .edmx : .other
    }
}
