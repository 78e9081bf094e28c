public import Soups

/// Parses a match expression by recursive descent. Only parentheses recurse, and their depth is limited.
///
///     or      = and ("OR" and)*
///     and     = not ("AND" not | "AND" "NOT" terms)*       "AND NOT" means the same as "NOT"
///     not     = terms ("NOT" terms)*
///     terms   = primary+                                    adjacent terms: all of them must match
///     primary = [field] (word | phrase | "NEAR" "(" ... ")" | "(" or ")")
struct MatchParser {
    /// The maximum nesting depth of parentheses. The parser of FTS5 does not support much more.
    static let depthLimit = 24
    /// The maximum number of terms in an expression.
    static let termLimit = 2_000

    private var lexer: MatchLexer
    private var token: MatchToken
    /// The offsets of the parentheses that are open.
    private var open: [Int] = []
    private var terms = 0
    /// The offset of each term, phrase and NEAR that is not preceded by `{soup:path}:`.
    private(set) var unqualified: [Int] = []

    init(_ bytes: [UInt8]) throws(Fault) {
        lexer = MatchLexer(bytes)
        token = try lexer.next()
    }

    mutating func parse() throws(Fault) -> MatchExpression {
        let expression = try or(field: nil)
        if token.kind == .close {
            throw fault("')' without '('")
        }
        guard token.kind == .end else {
            throw fault("expected a term before the operator")
        }
        return expression
    }

    private mutating func advance(insideNear: Bool = false) throws(Fault) {
        token = try lexer.next(insideNear: insideNear)
    }

    private func fault(_ message: String) -> Fault { Fault(.invalidMatchExpression, message, offset: token.start) }

    private mutating func or(field: MatchField?) throws(Fault) -> MatchExpression {
        var parts = [try and(field: field)]
        while token.kind == .or {
            try advance()
            parts.append(try and(field: field))
        }
        return Self.any(parts)
    }

    private mutating func and(field: MatchField?) throws(Fault) -> MatchExpression {
        var parts = [try not(field: field)]
        while token.kind == .and {
            try advance()
            guard token.kind == .not else {
                parts.append(try not(field: field))
                continue
            }
            let kept = Self.all(parts)
            parts = [try dropped(from: kept, field: field)]
        }
        return Self.all(parts)
    }

    private mutating func not(field: MatchField?) throws(Fault) -> MatchExpression {
        let kept = try beside(field: field)
        return token.kind == .not ? try dropped(from: kept, field: field) : kept
    }

    /// Reads `NOT x NOT y ...` after an expression. The result is one level deep for a chain of any length.
    private mutating func dropped(from kept: MatchExpression, field: MatchField?) throws(Fault) -> MatchExpression {
        var parts: [MatchExpression] = []
        while token.kind == .not {
            try advance()
            parts.append(try beside(field: field))
        }
        return .without(kept, Self.any(parts))
    }

    private mutating func beside(field: MatchField?) throws(Fault) -> MatchExpression {
        var parts: [MatchExpression] = []
        while let part = try primary(field: field) {
            parts.append(part)
        }
        guard !parts.isEmpty else {
            throw missingTerm
        }
        // A phrase without a token matches nothing. Among other phrases it is ignored, like punctuation between words.
        let searchable = parts.filter { part in if case .phrase(let phrase) = part { phrase.hasToken } else { true } }
        return Self.all(searchable.isEmpty ? [parts[0]] : searchable)
    }

    /// The fault of a token that is not the term, or the end of a group, that has to follow. At the end of the
    /// expression it is that of the innermost parenthesis that is still open.
    private var missingTerm: Fault {
        switch token.kind {
        case .not: fault("NOT needs a term on both sides, as in 'wanted NOT unwanted'")
        case .end:
            if let start = open.last {
                Fault(.invalidMatchExpression, "'(' without ')'", offset: start)
            } else {
                fault("expected a term at the end")
            }
        case .star: fault("expected a term before '*'")
        default: fault("expected a term")
        }
    }

    private mutating func primary(field outer: MatchField?) throws(Fault) -> MatchExpression? {
        var field = outer
        if token.kind == .field {
            field = token.field
            try advance()
            guard [.word, .phrase, .near, .open].contains(token.kind) else {
                throw fault("expected a term after {soup:path}:")
            }
        }
        switch token.kind {
        case .word, .phrase:
            if field == nil {
                unqualified.append(token.start)
            }
            let phrase = try phrase(field: field)
            try advance()
            return .phrase(phrase)
        case .near: return try near(field: field)
        case .open: return try group(field: field)
        case .star, .comma: throw missingTerm
        default: return nil
        }
    }

    private mutating func phrase(field: MatchField?) throws(Fault) -> MatchPhrase {
        terms += 1
        guard terms <= Self.termLimit else {
            throw fault("more than \(Self.termLimit) terms in a match expression")
        }
        return MatchPhrase(text: token.text, isPrefix: token.isPrefix, field: field)
    }

    private mutating func group(field: MatchField?) throws(Fault) -> MatchExpression {
        open.append(token.start)
        guard open.count <= Self.depthLimit else {
            throw fault("parentheses are nested deeper than \(Self.depthLimit) levels")
        }
        try advance()
        let expression = try or(field: field)
        guard token.kind == .close else {
            throw missingTerm
        }
        try advance()
        open.removeLast()
        return expression
    }

    private mutating func near(field: MatchField?) throws(Fault) -> MatchExpression {
        let start = token.start
        if field == nil {
            unqualified.append(start)
        }
        try advance(insideNear: true)  // to the parenthesis that the lexer saw
        try advance(insideNear: true)
        var phrases: [MatchPhrase] = []
        while token.kind == .word || token.kind == .phrase {
            phrases.append(try phrase(field: nil))
            try advance(insideNear: true)
        }
        guard !phrases.isEmpty else {
            throw fault("expected terms in the parentheses of NEAR")
        }
        var distance = 10
        if token.kind == .comma {
            try advance(insideNear: true)
            let digits = token.text.drop { $0 == 0x30 }
            guard token.kind == .word, !token.isPrefix, digits.count <= 6,
                token.text.allSatisfy({ (0x30...0x39).contains($0) })
            else {
                throw fault("the distance of NEAR must be a whole number below 1,000,000")
            }
            distance = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            try advance(insideNear: true)
        }
        guard token.kind == .close else {
            throw fault("expected terms, at most one distance and ')' in NEAR")
        }
        try advance()
        let searchable = phrases.filter(\.hasToken)
        return .near(searchable.isEmpty ? [phrases[0]] : searchable, distance: distance, field: field)
    }

    private static func all(_ parts: [MatchExpression]) -> MatchExpression { parts.count == 1 ? parts[0] : .all(parts) }
    private static func any(_ parts: [MatchExpression]) -> MatchExpression { parts.count == 1 ? parts[0] : .any(parts) }
}

extension MatchExpression {
    /// Parses a match expression. O(n) in its length. Allows at most 2,000 terms and parentheses up to 24 levels deep.
    /// - Throws: `invalidMatchExpression` with the byte offset into the text.
    public init(_ text: String) throws(Fault) {
        var parser = try MatchParser(Array(text.utf8))
        self = try parser.parse()
    }

    /// Inserts `prefix` before each term, phrase and NEAR without a `{soup:path}:`. Does not change anything else.
    ///
    /// O(n) in the length of the text. Source: `qualifyMatchKey` in Mobile SDK.
    public static func qualified(_ text: String, by prefix: String) throws(Fault) -> String {
        let bytes = Array(text.utf8)
        var parser = try MatchParser(bytes)
        _ = try parser.parse()
        var result: [UInt8] = []
        var copied = 0
        for offset in parser.unqualified {
            result += bytes[copied..<offset]
            result += prefix.utf8
            copied = offset
        }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }
}
