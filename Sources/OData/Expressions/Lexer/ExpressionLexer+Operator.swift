extension ExpressionLexer {
    /// Reads blanks, a binary operator of the version and blanks; leaves the position where it was if that is not what
    /// comes.
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

    /// Tells whether a binary operator stands behind blanks at a place.
    func isBinaryOperator(behind place: Int) -> Bool {
        var ahead = self
        ahead.position = place
        return ahead.binaryOperator(tighterThan: 0) != nil
    }

    /// Recognises an operator word here by its bytes, packed into one integer with the first byte lowest.
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
        case 0x7165: kind = .equal
        case 0x656e: kind = .notEqual
        case 0x7467: kind = .greater
        case 0x6567: kind = .greaterOrEqual
        case 0x746c: kind = .less
        case 0x656c: kind = .lessOrEqual
        case 0x646e61: kind = .and
        case 0x726f: kind = .or
        case 0x646461: kind = .add
        case 0x627573: kind = .subtract
        case 0x6c756d: kind = .multiply
        case 0x766964: kind = .divide
        case 0x646f6d: kind = .modulo
        case 0x736168 where version.isV4: kind = .has
        case 0x6e69 where version == .v401: kind = .in
        case 0x79_6276_6964 where version == .v401: kind = .divideBy
        default: return nil
        }
        return (kind, end)
    }
}
