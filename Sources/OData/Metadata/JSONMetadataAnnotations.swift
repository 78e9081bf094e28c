import JSONText
import Soups

/// Turns annotations as JSON into elements with their expressions. Annotations of annotations are skipped, as in XML.
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
            guard JSONMetadata.isControl(member.name) else { continue }
            let name = member.name.string.utf8
            guard let mark = name.firstIndex(of: UInt8(ascii: "@")), mark > name.startIndex else { continue }
            let term = name[name.index(after: mark)...]
            guard !term.contains(UInt8(ascii: "@")) else { continue }
            let owner = ByteKey(String(Substring(name[..<mark])))
            elements[owner, default: []].append(try annotation(member.value, term: term))
        }
        return elements
    }

    private static func annotation(_ value: JSONNode, term: Substring.UTF8View) throws(Fault) -> CSDLElement {
        let expression = try expression(value, of: nil)
        // Most terms have no qualifier.
        guard term.contains(UInt8(ascii: "#")) else {
            let attributes: JSONMetadataTypes.Attributes = [(.term, String(Substring(term)))]
            return CSDLElement(.annotation, attributes, expression: expression, offset: value.offset)
        }
        let parts = term.split(separator: UInt8(ascii: "#"), maxSplits: 1).map { String(Substring($0)) }
        var attributes: JSONMetadataTypes.Attributes = [(.term, parts.first ?? "")]
        if parts.count > 1 {
            attributes.append((.qualifier, parts[1]))
        }
        return CSDLElement(.annotation, attributes, expression: expression, offset: value.offset)
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

    /// The value of an annotation, or of a property of a record.
    ///
    /// - Parameter property: The name of the property; nil for a value without one.
    private static func expression(
        _ value: JSONNode, of property: String?
    ) throws(Fault) -> EdmAnnotation.Expression {
        if let (kind, text) = constant(value) {
            return .init(kind: kind.rawValue, text: text, name: property)
        }
        switch value.kind {
        case .array: return .init(kind: CSDLWord.collection.rawValue, name: property, parts: try parts(value))
        case .object:
            if let operation = try dynamic(value, of: property) {
                return operation
            }
            return try record(value, of: property)
        case .null, .true, .false, .number, .string:
            return .init(kind: CSDLWord.null.rawValue, name: property)
        }
    }

    private static let operations: [StaticString] = [
        "$And", "$Or", "$Not", "$Eq", "$Ne", "$Gt", "$Ge", "$Lt", "$Le", "$Has", "$In", "$Add", "$Sub", "$Neg", "$Mul",
        "$Div", "$DivBy", "$Mod", "$If", "$Apply", "$Cast", "$IsOf", "$LabeledElement", "$UrlRef", "$Null",
        "$LabeledElementReference",
    ]

    /// An operation, whose name is a member with a dollar sign; nil for a record.
    private static func dynamic(
        _ value: JSONNode, of property: String?
    ) throws(Fault) -> EdmAnnotation.Expression? {
        guard value.members.contains(where: { $0.name.hasPrefix("$") }) else { return nil }
        for name in operations {
            guard let operand = value[name] else { continue }
            let function = try JSONMetadata.text(value["$Function"], "$Function")
            let type = try JSONMetadata.text(value["$Type"], "$Type")
            // A model does not have the name of a labeled element, but it must be one.
            _ = try JSONMetadata.text(value["$Name"], "$Name")
            let operands = operand.kind == .array ? try parts(operand) : [try expression(operand, of: nil)]
            return .init(
                kind: String("\(name)".dropFirst()), name: property ?? type ?? function, parts: operands)
        }
        return nil
    }

    private static func record(
        _ value: JSONNode, of property: String?
    ) throws(Fault) -> EdmAnnotation.Expression {
        let type = try JSONMetadata.text(value["@type"] ?? value["@odata.type"], "@type")
        var properties: [EdmAnnotation.Expression] = []
        for member in value.members where !JSONMetadata.isControl(member.name) {
            properties.append(try expression(member.value, of: member.name.string))
        }
        return .init(
            kind: CSDLWord.record.rawValue, name: property ?? type.map { StatedType($0).text }, parts: properties)
    }

    private static func parts(_ list: JSONNode) throws(Fault) -> [EdmAnnotation.Expression] {
        var parts: [EdmAnnotation.Expression] = []
        for element in list.elements {
            parts.append(try expression(element, of: nil))
        }
        return parts
    }
}
