import JSONText

/// Keys of entities: as the text by which they are found, and as they are written in URLs.
enum KeyPart {
    /// The text of one key value that is the same however the value was written.
    static func text(_ value: JSONValue, type: String) -> String? {
        switch value {
        case .string(let text):
            switch type {
            case "Edm.Guid": return text.lowercased()
            case "Edm.DateTimeOffset", "Edm.DateTime": return PlainDate.milliseconds(text).map { String($0) } ?? text
            default: return text
            }
        case .number(let number): return number.int64.map { String($0) } ?? number.text
        case .bool(let bool): return bool ? "true" : "false"
        case .null, .array, .object: return nil
        }
    }

    /// A key value as a literal of a version.
    static func literal(_ value: JSONValue, type: String, _ version: MockODataVersion) -> String {
        guard case .string(let text) = value else {
            guard !version.isV4, type == "Edm.Int64" || type == "Edm.Decimal", let number = value.number else {
                return value.text()
            }
            return number.text + (type == "Edm.Int64" ? "L" : "M")
        }
        let quoted = "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        switch type {
        case "Edm.Guid": return version.isV4 ? text : "guid'\(text)'"
        case "Edm.DateTime": return "datetime'\(text)'"
        case "Edm.DateTimeOffset": return version.isV4 ? text : "datetimeoffset'\(text)'"
        case "Edm.Date", "Edm.TimeOfDay": return text
        default: return quoted
        }
    }

    /// The value of a literal of a URL; nil if it is invalid.
    static func value(ofLiteral text: String, type: String) -> JSONValue? {
        if let start = text.firstIndex(of: "'"), text.hasSuffix("'"), text.index(after: start) < text.endIndex {
            let takesTexts = ["Edm.String", "Edm.Guid", "Edm.DateTime", "Edm.DateTimeOffset"]
            guard takesTexts.contains(type) || !type.hasPrefix("Edm.") else { return nil }
            let inner = text[text.index(after: start)...].dropLast()
            return .string(inner.split(separator: "''", omittingEmptySubsequences: false).joined(separator: "'"))
        }
        switch type {
        case "Edm.Boolean": return text == "true" ? true : text == "false" ? false : nil
        case "Edm.Guid", "Edm.Date", "Edm.TimeOfDay", "Edm.DateTimeOffset": return .string(text)
        case "Edm.String": return nil
        default:
            var digits = text
            if let last = digits.last, "LlMmDdFf".contains(last) {
                digits.removeLast()
            }
            return PlainNumber(digits).flatMap { _ in JSONValue.read(digits) }
        }
    }
}

extension JSONValue {
    /// The value of a JSON text; nil if it is invalid.
    static func read(_ text: String) -> JSONValue? { try? JSONValue(parsing: text) }
}
