import Soups
import XMLText

/// Elements of other namespaces in an entry, to which the metadata may move values (`m:FC_NsUri`).
extension AtomReader {
    /// Collects an element in a namespace to which some property is mapped; skips others.
    mutating func startMapped() {
        guard let checker, feedNamespaces(checker).contains(ByteKey(tokenizer.namespace(of: tokenizer.name))) else {
            return skip()
        }
        let path = (top.kind == .mapped ? mappedPaths.last.map { $0.path + "/" } ?? "" : "")
        var element = MappedElement(path: path + tokenizer.localName(of: tokenizer.name), isNull: false)
        let name = EdmFeedMapping.elementName(tokenizer.namespace(of: tokenizer.name), element.path)
        for index in 0..<tokenizer.attributeCount {
            let attribute = tokenizer.attributeName(index)
            if role(of: attribute) == .null {
                element.isNull = withBytes(of: attributeText(index)) { PrimitiveText.isTrue($0) }
            } else if tokenizer.namespace(of: attribute).isEmpty {
                entry.rest.annotations.append(
                    .init(name + "/@" + tokenizer.localName(of: attribute), .string(attributeText(index))))
            }
        }
        element.name = name
        push(.mapped)
        mappedPaths.append(element)
        collectsText = true
    }

    /// Keeps the value of an element until a feed mapping of the metadata reads it.
    mutating func endMapped(_ frame: Frame) {
        guard let element = mappedPaths.popLast() else { return }
        let value = String(decoding: text[frame.textStart...], as: UTF8.self)
        entry.rest.annotations.append(.init(element.name, element.isNull ? .null : .string(value)))
        text.removeSubrange(frame.textStart...)
    }

    /// The namespaces to which properties of the model are mapped. Looked for only if an entry has an unknown element.
    private mutating func feedNamespaces(_ checker: PayloadTypes) -> Set<ByteKey> {
        if let mappedNamespaces {
            return mappedNamespaces
        }
        var found: Set<ByteKey> = []
        for schema in checker.model.schemas {
            for property in schema.entityTypes.lazy.flatMap(\.properties) {
                if let namespace = property.feedMapping?.namespace {
                    found.insert(ByteKey(namespace))
                }
            }
        }
        mappedNamespaces = found
        return found
    }

    /// An element of another namespace that is open.
    struct MappedElement {
        /// The names from the child of the entry on.
        var path: String
        var isNull: Bool
        /// The name of the annotation that keeps its value.
        var name = ""
    }
}

extension EdmFeedMapping {
    /// The name of the annotation that keeps the value of an element of another namespace. No namespace has a blank.
    static func elementName(_ namespace: String, _ path: String) -> String { "feed:" + namespace + " " + path }
}
