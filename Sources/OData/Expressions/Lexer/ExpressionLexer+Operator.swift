extension ExpressionLexer {
    /// Reads spaces, a binary operator of the version and spaces. Otherwise the position does not change.
    mutating func binaryOperator(tighterThan least: Int) -> ExpressionNode.Kind? {
        let start = position
        guard skipBlanks(), let (kind, end) = operatorWord(), kind.precedence > least else {
            position = start
            return nil
        }
        position = end
        guard skipBlanks() else {
            position = start
            return nil
        }
        return kind
    }

    /// Whether spaces and a binary operator follow at an offset.
    func isBinaryOperator(after offset: Int) -> Bool {
        var ahead = self
        ahead.position = offset
        return ahead.binaryOperator(tighterThan: 0) != nil
    }

    /// Whether a name is the word of a binary operator of the version.
    static func isOperator(_ name: ArraySlice<UInt8>, version: ODataVersion) -> Bool {
        name.withUnsafeBufferPointer { bytes in
            ExpressionLexer(bytes, version: version).operatorWord().map { $0.1 == bytes.count } ?? false
        }
    }

    /// The bytes of a short word as one integer, the first byte lowest. The compiler folds it into a constant.
    @inline(__always)
    private static func packed(_ word: StaticString) -> UInt64 {
        var result: UInt64 = 0
        for index in 0..<word.utf8CodeUnitCount {
            result |= UInt64(word.utf8Start[index]) << UInt64(8 * index)
        }
        return result
    }

    /// Reads an operator word at the current position. Its bytes are packed into one integer, so that one switch
    /// recognises it.
    private func operatorWord() -> (ExpressionNode.Kind, Int)? {
        var word: UInt64 = 0
        var end = position
        while end < bytes.count, end - position < 6 {
            let byte = bytes[end]
            guard Identifier.isASCIIPart(byte) || byte >= 0x80 else { break }
            word |= UInt64(byte) << UInt64(8 * (end - position))
            end += 1
        }
        if version == .v401, word & 0x80_80_80_80_80_80 == 0 {
            word |= 0x20_20_20_20_20_20 & (1 << UInt64(8 * (end - position)) - 1)
        }
        let kind: ExpressionNode.Kind
        switch word {
        case Self.packed("eq"): kind = .equal
        case Self.packed("ne"): kind = .notEqual
        case Self.packed("gt"): kind = .greater
        case Self.packed("ge"): kind = .greaterOrEqual
        case Self.packed("lt"): kind = .less
        case Self.packed("le"): kind = .lessOrEqual
        case Self.packed("and"): kind = .and
        case Self.packed("or"): kind = .or
        case Self.packed("add"): kind = .add
        case Self.packed("sub"): kind = .subtract
        case Self.packed("mul"): kind = .multiply
        case Self.packed("div"): kind = .divide
        case Self.packed("mod"): kind = .modulo
        case Self.packed("has") where version.isV4: kind = .has
        case Self.packed("in") where version == .v401: kind = .in
        case Self.packed("divby") where version == .v401: kind = .divideBy
        default: return nil
        }
        return (kind, end)
    }
}
