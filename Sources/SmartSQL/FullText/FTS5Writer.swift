import Soups

/// Writes a match expression for FTS5. Every term is quoted, so that none of its characters is syntax; columns are
/// written as filters if there are several, and every operator has parentheses.
struct FTS5Writer {
    let condition: MatchCondition

    func text(_ expression: MatchExpression) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        try write(expression, inside: false, to: &bytes)
        return bytes
    }

    private func write(_ expression: MatchExpression, inside: Bool, to bytes: inout [UInt8]) throws(Fault) {
        switch expression {
        case .phrase(let phrase):
            try write(phrase.field, to: &bytes)
            write(phrase, to: &bytes)
        case .near(let phrases, let distance, let field):
            try write(field, to: &bytes)
            bytes += "NEAR(".utf8
            for phrase in phrases {
                write(phrase, to: &bytes)
                bytes.append(UInt8(ascii: " "))
            }
            bytes += ", \(distance))".utf8
        case .all(let parts): try write(parts, word: " AND ", inside: inside, to: &bytes)
        case .any(let parts): try write(parts, word: " OR ", inside: inside, to: &bytes)
        case .without(let kept, let dropped): try write([kept, dropped], word: " NOT ", inside: inside, to: &bytes)
        }
    }

    private func write(_ parts: [MatchExpression], word: String, inside: Bool, to bytes: inout [UInt8]) throws(Fault) {
        if inside {
            bytes.append(UInt8(ascii: "("))
        }
        for (index, part) in parts.enumerated() {
            if index > 0 {
                bytes += word.utf8
            }
            try write(part, inside: true, to: &bytes)
        }
        if inside {
            bytes.append(UInt8(ascii: ")"))
        }
    }

    private func write(_ field: MatchField?, to bytes: inout [UInt8]) throws(Fault) {
        // In a table of one column a filter changes nothing, but with it FTS5 walks the positions of a word in each
        // row.
        if let column = try condition.column(of: field), !condition.hasOneColumn {
            bytes += "\(column) : ".utf8
        }
    }

    private func write(_ phrase: MatchPhrase, to bytes: inout [UInt8]) {
        bytes += phrase.quoted
        if phrase.isPrefix {
            bytes += " *".utf8
        }
    }
}
