import JSONText

extension ODataExpression {
    /// Returns the value of a literal; null for `null` and for nodes that are not literals.
    public func value(of node: Int) -> ODataValue {
        let node = nodes[node]
        guard node.kind == .literal, let type = LiteralType(rawValue: node.detail) else {
            return .null
        }
        return source.withUnsafeBufferPointer { buffer in
            Self.value(of: UnsafeBufferPointer(rebasing: buffer[node.range]), type, version: version)
        }
    }

    /// The name of a member of a JSON object, without its quotes and with its escapes decoded.
    package func memberName(_ node: Int) -> String {
        (try? JSONValue(parsing: Array(bytes(of: node))))?.string ?? ""
    }

    /// Reads the text of a literal that the lexer has checked.
    static func value(of text: UnsafeBufferPointer<UInt8>, _ type: LiteralType, version: ODataVersion) -> ODataValue {
        switch type {
        case .string: return .string(unquoted(text))
        case .jsonString:
            return (try? JSONValue(parsing: UnsafeRawBufferPointer(text)))?.string.map(ODataValue.string) ?? .null
        case .boolean: return .boolean(text.count == 4)
        case .enumeration, .spatial: return prefixed(text, type)
        case .binary where !version.isV4: return Base64.decodeHex(content(of: text)).map(ODataValue.binary) ?? .null
        case .duration, .binary, .dateTime, .time, .guid: return typed(content(of: text), type)
        case .dateTimeOffset: return typed(content(of: text), type)
        case .int64, .decimal, .double, .single: return typed(withoutSuffix(text, version), type)
        default: return typed(text, type)
        }
    }

    private static func typed(_ text: UnsafeBufferPointer<UInt8>, _ type: LiteralType) -> ODataValue {
        type.primitiveType.flatMap { ODataValue.read(text, as: $0) } ?? .null
    }

    /// The text between the quotes, or the whole text without quotes.
    private static func content(of text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard text.last == UInt8(ascii: "'"), let quote = text.firstIndex(of: UInt8(ascii: "'")) else {
            return text
        }
        return UnsafeBufferPointer(rebasing: text[quote + 1..<text.count - 1])
    }

    private static func withoutSuffix(
        _ text: UnsafeBufferPointer<UInt8>, _ version: ODataVersion
    ) -> UnsafeBufferPointer<UInt8> {
        // Only versions 1.0 to 3.0 have suffixes; INF and NaN end in letters too.
        guard !version.isV4, let last = text.last, last | 0x20 >= UInt8(ascii: "a"),
            text.first.map({ $0 < 0x40 && $0 != 0x2D }) == true
                || text.dropFirst().first.map({ $0 &- 0x30 < 10 }) == true
        else {
            return text
        }
        return UnsafeBufferPointer(rebasing: text.dropLast())
    }

    private static func unquoted(_ text: UnsafeBufferPointer<UInt8>) -> String {
        let inner = content(of: text)
        guard inner.contains(UInt8(ascii: "'")) else {
            return String(bytes: inner)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(inner.count)
        var index = 0
        while index < inner.count {
            bytes.append(inner[index])
            // A quote inside a string is always written twice.
            index += inner[index] == UInt8(ascii: "'") ? 2 : 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func prefixed(_ text: UnsafeBufferPointer<UInt8>, _ type: LiteralType) -> ODataValue {
        let inner = content(of: text)
        let prefix = UnsafeBufferPointer(rebasing: text[..<max(0, text.count - inner.count - 2)])
        if type == .enumeration {
            return .enumeration(type: String(bytes: prefix), members: String(bytes: inner))
        }
        let shape = SpatialText.type(of: inner, isGeography: prefix.count == "geography".utf8.count)
        return shape.map { .spatial($0, String(bytes: inner)) } ?? .null
    }
}
