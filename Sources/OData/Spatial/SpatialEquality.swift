import Soups

extension Evaluation {
    /// Compares a spatial value with an object of the data that is GeoJSON; nil for other values.
    mutating func areSameShapes(_ a: Value, _ b: Value) throws(Fault) -> Bool? {
        switch (a, b) {
        case (.value(.spatial(let type, let text)), .node(let node)):
            return try isShape(node, type, text)
        case (.node(let node), .value(.spatial(let type, let text))):
            return try isShape(node, type, text)
        default: return nil
        }
    }

    private mutating func isShape(
        _ node: Node, _ type: EdmPrimitiveType, _ text: String
    ) throws(Fault) -> Bool? {
        guard let shape = GeoJSONLiteral.text(node, isGeography: type.isGeography) else { return nil }
        try budget.spend(1 + (shape.utf8.count + text.utf8.count) >> 3)
        return SpatialEquality.areSame(shape, text)
    }
}

/// Compares the texts of shapes by what they say: the letter case of words and the spelling of numbers do not count.
enum SpatialEquality {
    private enum Token: Equatable {
        case word(String)
        case number(Double)
        case mark(UInt8)
    }

    static func areSame(_ a: String, _ b: String) -> Bool { a.hasBytes(of: b) || tokens(of: a) == tokens(of: b) }

    /// One text for all that `areSame` calls the same.
    static func spelling(of text: String) -> String {
        var spelling = ""
        for token in tokens(of: text) {
            switch token {
            case .word(let word): spelling += word
            // Zero has two signs, which are equal.
            case .number(let number): spelling += number == 0 ? "0" : "\(number)"
            case .mark(let mark): spelling.unicodeScalars.append(Unicode.Scalar(mark))
            }
        }
        return spelling
    }

    private static let marks = Array(" ,();=".utf8)

    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        var piece: [UInt8] = []
        for byte in text.utf8 {
            guard marks.contains(byte) else {
                piece.append(byte)
                continue
            }
            if !piece.isEmpty {
                tokens.append(token(String(decoding: piece, as: UTF8.self)))
                piece = []
            }
            tokens.append(.mark(byte))
        }
        return tokens
    }

    /// A number, or a word: a collection has another one in version 4.0 than in later ones.
    private static func token(_ piece: String) -> Token {
        if let number = Double(piece) {
            return .number(number)
        }
        let word = piece.lowercased()
        return .word(word.hasBytes(of: "geometrycollection") ? "collection" : word)
    }
}
