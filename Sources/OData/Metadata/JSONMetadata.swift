import JSONText
import Soups
import StepCounting

/// Turns metadata as JSON into the elements of XML with the same meaning, so that one reader makes and checks the
/// model.
///
/// Source: OData CSDL JSON Representation 4.01. Members with an unknown name or kind are skipped, as unknown elements
/// of XML are.
enum JSONMetadata {
    /// Whether a document is a JSON object. Anything else is for the reader of XML to refuse.
    static func isRoot(of bytes: [UInt8]) -> Bool {
        JSONRoot.withoutMark(bytes).first { $0 > 0x20 } == UInt8(ascii: "{")
    }

    /// The root element of a document, with offsets in its JSON text.
    static func root(of bytes: [UInt8]) throws(Fault) -> CSDLElement {
        try JSONRoot.read(bytes) { (root) throws(Fault) in try document(root) }
    }

    private static func document(_ root: JSONNode) throws(Fault) -> CSDLElement {
        StepCounter.add(root.range.count)
        guard let version = try text(root["$Version"], "$Version"), version.utf8.starts(with: "4.".utf8) else {
            throw fault("not metadata as JSON: the member $Version must be 4.0 or later", root)
        }
        // The name of a container in this document or in another one; a model finds its containers by itself.
        _ = try text(root["$EntityContainer"], "$EntityContainer")
        var children: [CSDLElement] = []
        if let references = try object(root["$Reference"], "$Reference") {
            for member in references.members {
                children.append(try reference(member.value))
            }
        }
        var schemas: [CSDLElement] = []
        for member in root.members where !isControl(member.name) {
            schemas.append(try schema(member.value, named: member.name.string))
        }
        children.append(CSDLElement(.dataServices, space: .edmx, children: schemas, offset: root.offset))
        return CSDLElement(.edmx, space: .edmx, children: children, offset: root.offset)
    }

    private static func reference(_ node: JSONNode) throws(Fault) -> CSDLElement {
        var children: [CSDLElement] = []
        guard let includes = try array(node["$Include"], "$Include") else {
            return CSDLElement(.reference, space: .edmx, offset: node.offset)
        }
        for include in includes.elements {
            var attributes: CSDLElement.Attributes = []
            if let namespace = try text(include["$Namespace"], "$Namespace") {
                attributes.append((.namespace, namespace))
            }
            if let alias = try text(include["$Alias"], "$Alias") {
                attributes.append((.alias, alias))
            }
            children.append(CSDLElement(.include, space: .edmx, attributes, offset: include.offset))
        }
        return CSDLElement(.reference, space: .edmx, children: children, offset: node.offset)
    }

    private static func schema(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        guard node.kind == .object else {
            throw fault("the schema \(name) must be an object", node)
        }
        var attributes: CSDLElement.Attributes = [(.namespace, name)]
        if let alias = try text(node["$Alias"], "$Alias") {
            attributes.append((.alias, alias))
        }
        var children: [CSDLElement] = []
        for member in node.members where !isControl(member.name) {
            let name = member.name.string
            guard member.value.kind == .array else {
                if let element = try JSONMetadataTypes.element(member.value, named: name) {
                    children.append(element)
                }
                continue
            }
            children += try JSONMetadataTypes.overloads(member.value, named: name)
        }
        if let targets = try object(node["$Annotations"], "$Annotations") {
            for target in targets.members {
                children.append(
                    CSDLElement(
                        .annotations, [(.target, target.name.string)],
                        children: try JSONMetadataAnnotations.elements(of: target.value), offset: target.value.offset))
            }
        }
        return CSDLElement(.schema, attributes, children: children, offset: node.offset)
    }
}

extension JSONMetadata {
    /// Whether a member is not a name of the model: a keyword, an annotation, or one of another member.
    static func isControl(_ name: JSONStringText) -> Bool {
        guard !name.isEscaped else {
            let name = name.string.utf8
            return name.first == UInt8(ascii: "$") || name.contains(UInt8(ascii: "@"))
        }
        return name.writtenBytes.first == UInt8(ascii: "$") || name.writtenBytes.contains(UInt8(ascii: "@"))
    }

    static func text(_ node: JSONNode?, _ name: String) throws(Fault) -> String? {
        guard let node, !node.isNull else { return nil }
        guard let text = node.string else {
            throw fault("\(name) must be a string", node)
        }
        return text
    }

    static func flag(_ node: JSONNode?, _ name: String) throws(Fault) -> Bool? {
        guard let node, !node.isNull else { return nil }
        guard let flag = node.bool else {
            throw fault("\(name) must be true or false", node)
        }
        return flag
    }

    static func object(_ node: JSONNode?, _ name: String) throws(Fault) -> JSONNode? {
        guard let node, !node.isNull else { return nil }
        guard node.kind == .object else {
            throw fault("\(name) must be an object", node)
        }
        return node
    }

    static func array(_ node: JSONNode?, _ name: String) throws(Fault) -> JSONNode? {
        guard let node, !node.isNull else { return nil }
        guard node.kind == .array else {
            throw fault("\(name) must be an array", node)
        }
        return node
    }

    static func fault(_ message: String, _ node: JSONNode) -> Fault {
        Fault(.invalidMetadata, message, offset: node.offset)
    }
}
