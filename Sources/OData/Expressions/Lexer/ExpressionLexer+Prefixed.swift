import Soups

/// Literals with a prefix and quotes: `duration'P1D'`, `datetime'...'`, `X'0AFF'`, `Ns.Colour'Red'`,
/// `geography'SRID=0;Point(1 2)'`.
extension ExpressionLexer {
    /// Reads a literal with a prefix. The position is at the prefix, and `end` is the offset of the quote after it.
    mutating func prefixedLiteral(
        prefixEnd: Int, isQualified: Bool
    ) throws(Fault) -> LiteralType {
        let start = position
        guard let type = prefixType(to: prefixEnd, isQualified: isQualified) else {
            position = prefixEnd
            throw unexpected("unknown literal prefix in this version")
        }
        position = prefixEnd
        try skipString()
        let content = slice(prefixEnd + 1, position - 1)
        try endLiteral()
        guard exists(type, content, prefix: slice(start, prefixEnd)) else {
            throw Fault(.invalidLiteral, "not a valid value of the type", offset: start)
        }
        return type
    }

    private func prefixType(to end: Int, isQualified: Bool) -> LiteralType? {
        if isQualified {
            // No enumeration is declared in the namespace of OData's own types.
            return version >= .v3 && !isAt("Edm.") ? .enumeration : nil
        }
        let start = position
        if isPrefix("binary", start, end) {
            return .binary
        }
        if version >= .v3, isPrefix("geography", start, end) || isPrefix("geometry", start, end) {
            return .spatial
        }
        if version.isV4 {
            return isPrefix("duration", start, end) ? .duration : nil
        }
        if isPrefix("datetime", start, end) {
            return .dateTime
        }
        if isPrefix("datetimeoffset", start, end) {
            return .dateTimeOffset
        }
        if isPrefix("time", start, end) {
            return .time
        }
        if isPrefix("guid", start, end) {
            return .guid
        }
        return isPrefix("x", start, end) ? .binary : nil
    }

    /// Prefixes are case-insensitive, as all such words in the published grammar.
    private func isPrefix(_ word: StaticString, _ start: Int, _ end: Int) -> Bool {
        guard end - start == word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount where bytes[start + index] | 0x20 != word.utf8Start[index] {
            return false
        }
        return true
    }

    private func exists(
        _ type: LiteralType, _ content: UnsafeBufferPointer<UInt8>, prefix: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        switch type {
        case .duration, .time: EdmDuration(bytes: content) != nil
        case .binary: version.isV4 ? isBase64URL(content) : Base64.decodeHex(content) != nil
        case .dateTime: EdmDateTime(bytes: content) != nil
        case .dateTimeOffset: EdmDateTimeOffset(bytes: content) != nil
        case .guid: EdmGuid(bytes: content) != nil
        case .enumeration: isEnumeration(content)
        case .spatial: SpatialText.isShape(content)
        default: true
        }
    }

    private func isBase64URL(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
        !content.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") } && Base64.decode(content) != nil
    }

    /// Member names or integers, separated by commas.
    private func isEnumeration(_ content: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        while true {
            if let end = Identifier.end(in: content, from: position) {
                position = end
            } else {
                let start = position
                while position < content.count, content[position] != UInt8(ascii: ",") {
                    position += 1
                }
                guard ODataValue.int64(UnsafeBufferPointer(rebasing: content[start..<position])) != nil else {
                    return false
                }
            }
            if position == content.count {
                return true
            }
            guard content[position] == UInt8(ascii: ",") else { return false }
            position += 1
        }
    }
}
