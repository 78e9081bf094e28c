import JSONText
import Soups

/// Turns annotations as JSON into elements. Annotations of annotations are skipped, as in XML.
enum JSONMetadataAnnotations {
    /// The annotations of an object itself: its members that begin with `@`.
    static func elements(of node: JSONNode) throws(Fault) -> [CSDLElement] {
        var elements: [CSDLElement] = []
        for member in node.members where member.name.hasPrefix("@") {
            let term = member.name.string.utf8.dropFirst()
            guard !term.contains(UInt8(ascii: "@")) else { continue }
            elements.append(try annotation(member.value, term: term))
        }
        return elements
    }

    /// The annotations of the members of an object: `Name@Term`.
    static func elementsByMember(of node: JSONNode) throws(Fault) -> [ByteKey: [CSDLElement]] {
        var elements: [ByteKey: [CSDLElement]] = [:]
        for member in node.members {
            let parts = member.name.string.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { continue }
            let name = ByteKey(String(Substring(parts[0])))
            elements[name, default: []].append(try annotation(member.value, term: parts[1]))
        }
        return elements
    }

    private static func annotation(_ value: JSONNode, term: Substring.UTF8View) throws(Fault) -> CSDLElement {
        let parts = term.split(separator: UInt8(ascii: "#"), maxSplits: 1).map { Substring($0) }
        var attributes: JSONMetadataTypes.Attributes = [(.term, String(parts.first ?? ""))]
        if parts.count > 1 {
            attributes.append((.qualifier, String(parts[1])))
        }
        return try expression(.annotation, attributes, value)
    }

    /// An element with an expression: in an attribute for constants and paths, otherwise as a child.
    private static func expression(
        _ word: CSDLWord, _ attributes: JSONMetadataTypes.Attributes, _ value: JSONNode
    ) throws(Fault) -> CSDLElement {
        if let (kind, text) = constant(value) {
            return CSDLElement(word, attributes + [(kind, text)], offset: value.offset)
        }
        return CSDLElement(word, attributes, children: [try written(value)], offset: value.offset)
    }

    /// The kind and text of a constant or path; nil for other expressions.
    private static func constant(_ value: JSONNode) -> (CSDLWord, String)? {
        switch value.kind {
        case .string: return (.string, value.string ?? "")
        case .true: return (.bool, "true")
        case .false: return (.bool, "false")
        case .number:
            let text = String(decoding: value.rawText, as: UTF8.self)
            guard !value.isWrittenAsInteger else {
                return (.int, text)
            }
            return (text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } ? .float : .decimal, text)
        case .object: return value["$Path"]?.string.map { (.path, $0) }
        case .null, .array: return nil
        }
    }

    /// An expression as an element of its own.
    private static func written(_ value: JSONNode) throws(Fault) -> CSDLElement {
        if let (kind, text) = constant(value) {
            return CSDLElement(kind, text: text, offset: value.offset)
        }
        switch value.kind {
        case .array: return CSDLElement(.collection, children: try parts(value), offset: value.offset)
        case .object:
            if let operation = try dynamic(value) {
                return operation
            }
            return try record(value)
        case .null, .true, .false, .number, .string: return CSDLElement(.null, offset: value.offset)
        }
    }

    private static let operations: [StaticString] = [
        "$And", "$Or", "$Not", "$Eq", "$Ne", "$Gt", "$Ge", "$Lt", "$Le", "$Has", "$In", "$Add", "$Sub", "$Neg", "$Mul",
        "$Div", "$DivBy", "$Mod", "$If", "$Apply", "$Cast", "$IsOf", "$LabeledElement", "$UrlRef", "$Null",
        "$LabeledElementReference",
    ]

    /// An operation, whose name is a member with a dollar sign; nil for a record.
    private static func dynamic(_ value: JSONNode) throws(Fault) -> CSDLElement? {
        guard value.members.contains(where: { $0.name.hasPrefix("$") }) else { return nil }
        for name in operations {
            guard let operand = value[name] else { continue }
            var attributes: JSONMetadataTypes.Attributes = []
            JSONMetadataTypes.append(
                .function, try JSONMetadata.text(value["$Function"], "$Function"), to: &attributes)
            JSONMetadataTypes.append(.type, try JSONMetadata.text(value["$Type"], "$Type"), to: &attributes)
            JSONMetadataTypes.append(.name, try JSONMetadata.text(value["$Name"], "$Name"), to: &attributes)
            let children = operand.kind == .array ? try parts(operand) : [try written(operand)]
            return CSDLElement(
                .other, named: String("\(name)".dropFirst()), attributes, children: children, offset: value.offset)
        }
        return nil
    }

    private static func record(_ value: JSONNode) throws(Fault) -> CSDLElement {
        var attributes: JSONMetadataTypes.Attributes = []
        let type = try JSONMetadata.text(value["@type"] ?? value["@odata.type"], "@type")
        JSONMetadataTypes.append(.type, type.map { StatedType($0).text }, to: &attributes)
        var children: [CSDLElement] = []
        for member in value.members where !JSONMetadata.isControl(member.name.string) {
            children.append(
                try expression(.propertyValue, [(.property, member.name.string)], member.value))
        }
        return CSDLElement(.record, attributes, children: children, offset: value.offset)
    }

    private static func parts(_ list: JSONNode) throws(Fault) -> [CSDLElement] {
        var parts: [CSDLElement] = []
        for element in list.elements {
            parts.append(try written(element))
        }
        return parts
    }
}
