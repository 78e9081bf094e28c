import Soups

/// An element of a metadata document with its content. Metadata documents are small enough to be kept as a tree. A
/// class, because lists of elements are filtered by name again and again.
final class CSDLElement {
    enum Space { case edm, edmx, other }

    typealias Attributes = [(word: CSDLWord, value: String)]

    let space: Space
    /// The name, if it is one that a model is made from.
    let word: CSDLWord
    /// The name of an element that has another one.
    private let otherName: String?
    /// Attributes without a namespace.
    let attributes: Attributes
    /// Attributes in a metadata namespace (`m:HasStream`), by their local names.
    let metadataAttributes: Attributes
    let children: [CSDLElement]
    let text: String
    /// Whether it is in the namespace of version 4, or in a JSON document.
    let isV4: Bool
    let offset: Int
    /// The expression of an annotation in a JSON document; nil for other elements.
    let expression: Shared<EdmAnnotation.Expression>?

    /// Creates an element that was read.
    init(
        _ name: CSDLName, attributes: Attributes, metadataAttributes: Attributes, children: [CSDLElement], text: String,
        offset: Int
    ) {
        space = name.space
        isV4 = name.isV4
        word = name.word
        otherName = name.word == .other ? name.local : nil
        self.attributes = attributes
        self.metadataAttributes = metadataAttributes
        self.children = children
        self.text = text
        self.offset = offset
        expression = nil
    }

    /// Creates an element with the meaning of a value of a JSON document.
    init(
        _ word: CSDLWord, named otherName: String? = nil, space: Space = .edm, _ attributes: Attributes = [],
        children: [CSDLElement] = [], text: String = "", expression: EdmAnnotation.Expression? = nil, offset: Int
    ) {
        self.space = space
        self.word = word
        self.otherName = otherName
        self.attributes = attributes
        metadataAttributes = []
        self.children = children
        self.text = text
        isV4 = true
        self.offset = offset
        self.expression = expression.map { Shared($0) }
    }

    var name: String { otherName ?? word.rawValue }

    subscript(_ word: CSDLWord) -> String? { Self.value(of: word, in: attributes) }

    func metadata(_ word: CSDLWord) -> String? { Self.value(of: word, in: metadataAttributes) }

    private static func value(of word: CSDLWord, in attributes: Attributes) -> String? {
        // By index, so that no pair is copied.
        for index in attributes.indices where attributes[index].word == word {
            return attributes[index].value
        }
        return nil
    }

    /// The children with the name in a CSDL namespace.
    func all(_ word: CSDLWord) -> LazyFilterSequence<[CSDLElement]> {
        children.lazy.filter { $0.word == word && $0.space == .edm }
    }

    func fault(_ message: String) -> Fault { Fault(.invalidMetadata, message, offset: offset) }

    /// The value of a required attribute. Throws `invalidMetadata` if it is missing or empty.
    func required(_ word: CSDLWord) throws(Fault) -> String {
        guard let value = self[word], !value.isEmpty else {
            throw fault("\(name): the attribute \(word.rawValue) is missing")
        }
        return value
    }

    /// The value of a boolean attribute. Some services write it with a capital letter.
    func flag(_ word: CSDLWord, default value: Bool) throws(Fault) -> Bool {
        guard let text = self[word] else {
            return value
        }
        // The spellings of the standard first: each comparison takes time.
        switch text {
        case "true": return true
        case "false": return false
        case "1", "True": return true
        case "0", "False": return false
        default: throw fault("\(name): \(word.rawValue) must be true or false")
        }
    }
}
