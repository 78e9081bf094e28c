/// The value of a Content-Type header: a media type and its parameters.
///
/// ```swift
/// let type = ContentType("application/json; odata.metadata=minimal")
/// let level = type["odata.metadata"]
/// ```
///
/// Source: RFC 9110, section 8.3. Names are case-insensitive.
public struct ContentType: Sendable, Hashable {
    /// `type/subtype` in lower case.
    public let mediaType: String
    /// The parameters, with names in lower case and values without quotes.
    public let parameters: [Parameter]

    /// One parameter, such as `odata.metadata=minimal`.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The value without quotes.
        public let value: String
    }

    /// Parses the value of a header; malformed parameters are skipped.
    public init(_ text: String) {
        var pieces = Self.split(text)[...]
        mediaType = Self.trimmed(pieces.popFirst() ?? "").lowercased()
        parameters = pieces.compactMap { piece in
            guard let equals = piece.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            var value = Self.trimmed(String(piece[piece.utf8.index(after: equals)...]))
            if value.utf8.count >= 2, value.utf8.first == UInt8(ascii: "\""), value.utf8.last == UInt8(ascii: "\"") {
                value = Self.unquoted(value)
            }
            return Parameter(name: Self.trimmed(String(piece[..<equals])).lowercased(), value: value)
        }
    }

    /// Returns the value of the parameter with a name.
    public subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Whether the media type is JSON, such as `application/json`.
    public var isJSON: Bool { mediaType.hasSuffix("/json") || mediaType.hasSuffix("+json") }
    /// Whether the media type is XML, such as `application/atom+xml`.
    public var isXML: Bool { mediaType.hasSuffix("/xml") || mediaType.hasSuffix("+xml") }
    /// Whether it is JSON with the parameter `odata=verbose`.
    public var isVerboseJSON: Bool { isJSON && self["odata"]?.lowercased() == "verbose" }

    /// Splits at semicolons outside of quotes.
    private static func split(_ text: String) -> [String] {
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        var isEscaped = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: ";"), !isQuoted {
                pieces.append([])
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped {
                isQuoted.toggle()
            }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            pieces[pieces.count - 1].append(byte)
        }
        return pieces.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func unquoted(_ text: String) -> String {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                result.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func trimmed(_ text: String) -> String {
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let bytes = Array(text.utf8.drop(while: blank))
        return String(decoding: bytes[..<(bytes.lastIndex { !blank($0) }.map { $0 + 1 } ?? 0)], as: UTF8.self)
    }
}
