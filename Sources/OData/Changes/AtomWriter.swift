import JSONText
import Soups
import StepCounting

/// Writes properties as an Atom entry. Values other than strings get a type, so that the entry reads back unchanged.
enum AtomWriter {
    /// The start of an entry up to its properties.
    static func start(version: ODataVersion, head: String) -> String {
        let data = version.isV4 ? AtomRole.dataV4URI : AtomRole.dataURI
        let metadata = version.isV4 ? AtomRole.metadataV4URI : AtomRole.metadataURI
        return
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"\(AtomRole.atomURI)\" xmlns:d=\"\(data)\" xmlns:m=\"\(metadata)\">"
            + head + "<content type=\"application/xml\"><m:properties>"
    }

    static let end = "</m:properties></content></entry>"

    /// The name of the element of a property. Throws `invalidXML` for a name that XML does not allow.
    static func element(_ name: String) throws(Fault) -> String {
        guard isName(name) else {
            throw Fault(
                .invalidXML, "the property name is not allowed in XML; send the change as JSON", context: [.path(name)])
        }
        return "d:" + name
    }

    static func append(
        _ value: JSONValue, _ element: String, _ version: ODataVersion, to text: inout String, depth: Int
    ) throws(Fault) {
        guard depth < 64 else {
            throw Fault(.limitExceeded, "a value is nested deeper than 64 levels")
        }
        switch value {
        case .null: text += "<\(element) m:null=\"true\"/>"
        case .string(let string): text += "<\(element)>\(try escaped(string))</\(element)>"
        case .bool(let flag): text += "<\(element) m:type=\"Edm.Boolean\">\(flag)</\(element)>"
        case .number(let number): text += "<\(element) m:type=\"\(type(of: number))\">\(number.text)</\(element)>"
        case .array(let items):
            let item = items.lazy.compactMap { self.type(of: $0) }.first ?? "Edm.String"
            text += "<\(element) m:type=\"Collection(\(item))\">"
            for value in items {
                try append(value, version.isV4 ? "m:element" : "d:element", version, to: &text, depth: depth + 1)
            }
            text += "</\(element)>"
        case .object(let members):
            text += "<\(element)>"
            for (name, value) in members.members {
                try append(value, try Self.element(name), version, to: &text, depth: depth + 1)
            }
            text += "</\(element)>"
        }
    }

    private static func type(of value: JSONValue) -> String? {
        switch value {
        case .bool: "Edm.Boolean"
        case .number(let number): type(of: number)
        case .string: "Edm.String"
        default: nil
        }
    }

    private static func type(of number: JSONNumber) -> String {
        if let whole = Int64(number.text) {
            return Int32(exactly: whole) == nil ? "Edm.Int64" : "Edm.Int32"
        }
        return number.text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } ? "Edm.Double" : "Edm.Decimal"
    }

    /// Whether a name is valid in XML without a namespace prefix.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
            return false
        }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar == "_" || scalar == "-" || scalar == "." || scalar.properties.isAlphabetic
                || ("0"..."9").contains(scalar)
        }
    }

    /// Escapes a text for an attribute in double quotes, in which a reader would turn line breaks into blanks.
    static func attribute(_ string: String) throws(Fault) -> String { try escaped(string, isAttribute: true) }

    /// Escapes markup characters, and carriage returns, which an XML reader would turn into line feeds.
    static func escaped(_ string: String, isAttribute: Bool = false) throws(Fault) -> String {
        StepCounter.add(string.utf8.count)
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
}
