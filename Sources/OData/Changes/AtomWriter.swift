import JSONText
import Soups
import StepCounting

/// Writes properties as an Atom entry. Values other than strings get a type, so that the entry reads back unchanged.
enum AtomWriter {
    /// The start of an entry.
    static func start(version: ODataVersion) -> String {
        let data = version.isV4 ? AtomRole.dataV4URI : AtomRole.dataURI
        let metadata = version.isV4 ? AtomRole.metadataV4URI : AtomRole.metadataURI
        return
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"\(AtomRole.atomURI)\" xmlns:d=\"\(data)\" xmlns:m=\"\(metadata)\">"
    }

    /// What is between the start, with links, and the properties.
    static let propertiesStart = "<content type=\"application/xml\"><m:properties>"

    static let end = "</m:properties></content></entry>"

    /// The name of the element of a property. Throws `invalidXML` for a name that XML does not allow.
    static func element(_ name: String) throws(Fault) -> String {
        guard XMLNameText.isName(name) else {
            throw Fault(
                .invalidXML, "the property name is not allowed in XML; send the change as JSON", context: [.path(name)])
        }
        return "d:" + name
    }

    /// Appends a value without a declared type, by what JSON shows of it.
    static func append(
        _ value: JSONValue, _ element: String, _ version: ODataVersion, path: ValuePath, to text: inout String,
        depth: Int
    ) throws(Fault) {
        guard depth < 64 else {
            throw Fault(.limitExceeded, "a value is nested deeper than 64 levels")
        }
        switch value {
        case .null: text += "<\(element) m:null=\"true\"/>"
        case .string(let string): text += "<\(element)>\(try escaped(string))</\(element)>"
        case .bool(let flag):
            append(element, type: EdmPrimitiveType.boolean.rawValue, content: flag ? "true" : "false", to: &text)
        case .number(let number):
            let type = ItemType.type(of: value) ?? .decimal
            append(element, type: type.rawValue, content: number.text, to: &text)
        case .array(let items):
            try append(items, element, version, path: path, to: &text)
        case .object(let members):
            try RepeatedNames.check(members.names)
            text += "<\(element)>"
            for (name, value) in members.members {
                try append(
                    value, try Self.element(name), version, path: path.member(name), to: &text, depth: depth + 1)
            }
            text += "</\(element)>"
        }
    }

    /// Appends a collection without a declared type. Its items must be primitive values with a type in common, because
    /// nothing else says which type they have.
    private static func append(
        _ items: [JSONValue], _ element: String, _ version: ODataVersion, path: ValuePath, to text: inout String
    ) throws(Fault) {
        try checkCollections(version, path)
        guard let type = ItemType.common(items) else {
            throw unsupported("collections of different or unknown types", path)
        }
        text += "<\(element) m:type=\"Collection(\(type.rawValue))\">"
        let item = version.isV4 ? "m:element" : "d:element"
        for value in items {
            switch value {
            case .null: text += "<\(item) m:null=\"true\"/>"
            case .string(let string): text += "<\(item)>\(try escaped(string))</\(item)>"
            case .bool, .number: text += "<\(item)>\(value.text())</\(item)>"
            case .array, .object: continue
            }
        }
        text += "</\(element)>"
    }

    /// Appends an element, piece by piece so that no text between is made.
    ///
    /// - Parameters:
    ///   - type: The escaped name of the type; nil to state no type.
    ///   - content: The escaped content.
    static func append(_ element: String, type: String?, content: String, to text: inout String) {
        text += "<"
        text += element
        if let type {
            text += " m:type=\""
            text += type
            text += "\""
        }
        guard !content.isEmpty else {
            text += "/>"
            return
        }
        text += ">"
        text += content
        text += "</"
        text += element
        text += ">"
    }

    /// Throws `unsupported` for a version without collections.
    static func checkCollections(_ version: ODataVersion, _ path: ValuePath) throws(Fault) {
        guard version >= .v3 else {
            throw Fault(.unsupported, "collections do not exist before version 3.0", context: [.path(path.text)])
        }
    }

    static func unsupported(_ what: String, _ path: ValuePath) -> Fault {
        Fault(.unsupported, "\(what) are not written in Atom; send the change as JSON", context: [.path(path.text)])
    }

    /// Escapes a text for an attribute in double quotes, in which a reader would turn line breaks into blanks.
    static func attribute(_ string: String) throws(Fault) -> String { try escaped(string, isAttribute: true) }

    /// Escapes markup characters, and carriage returns, which an XML reader would turn into line feeds.
    static func escaped(_ string: String, isAttribute: Bool = false) throws(Fault) -> String {
        StepCounter.add(string.utf8.count)
        guard !string.utf8.allSatisfy(isPlain) else {
            return string
        }
        var text = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\r": text += "&#13;"
            case "\"" where isAttribute: text += "&quot;"
            case "\t" where isAttribute: text += "&#9;"
            case "\n" where isAttribute: text += "&#10;"
            case "\t", "\n": text.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                throw Fault(.invalidXML, "a string has a character that is not allowed in XML; send the change as JSON")
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Whether a byte of a text is written unchanged everywhere. U+FFFE and U+FFFF begin with 0xEF.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0x00...0x1F, 0xEF: false
        default: true
        }
    }
}
