/// The text between the quotes of a literal.
enum LiteralText {
    /// Resolves the escapes. Throws `MALFORMED_QUERY` for one that does not exist.
    static func decoded(_ raw: String, at offset: Int) throws(MockError) -> String {
        var text = String.UnicodeScalarView()
        for unit in try units(raw, at: offset, isPattern: false) {
            if case .character(let scalar) = unit {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// The pattern of `like`, folded.
    static func pattern(_ raw: String, at offset: Int) throws(MockError) -> [LikePattern.Unit] {
        try units(raw, at: offset, isPattern: true).flatMap { unit -> [LikePattern.Unit] in
            guard case .character(let scalar) = unit else { return [unit] }
            return String(scalar).lowercased().unicodeScalars.map(LikePattern.Unit.character)
        }
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "n": "\n", "N": "\n", "r": "\r", "R": "\r", "t": "\t", "T": "\t", "b": "\u{8}", "B": "\u{8}", "f": "\u{C}",
        "F": "\u{C}", "\\": "\\", "'": "'", "\"": "\"",
    ]

    private static func units(_ raw: String, at offset: Int, isPattern: Bool) throws(MockError) -> [LikePattern.Unit] {
        var units: [LikePattern.Unit] = []
        var iterator = raw.unicodeScalars.makeIterator()
        while let scalar = iterator.next() {
            switch scalar {
            case "\\":
                guard let escaped = iterator.next() else {
                    throw MiniParser.unexpected("backslash", at: offset)
                }
                if isPattern, escaped == "%" || escaped == "_" {
                    units.append(.character(escaped))
                } else if let meant = escapes[escaped] {
                    units.append(.character(meant))
                } else {
                    throw MiniParser.unexpected("escape", at: offset)
                }
            case "%" where isPattern: units.append(.anyText)
            case "_" where isPattern: units.append(.anyCharacter)
            default: units.append(.character(scalar))
            }
        }
        return units
    }
}
