import JSONText

/// Reads a filter. What it does not know is refused with 501, naming the word.
struct PlainFilterReader {
    private enum Token: Equatable {
        case word(String)
        case text(String)
        /// A literal with a prefix, such as `guid'...'`.
        case prefixed(String, String)
        case mark(Character)
        case end
    }

    private var tokens: [Token] = []
    private var position = 0

    static func filter(_ text: String) throws(Refusal) -> PlainFilter {
        var reader = PlainFilterReader()
        try reader.split(text)
        let filter = try reader.readOr()
        guard reader.current == .end else {
            throw reader.unexpected()
        }
        return filter
    }

    private var current: Token { position < tokens.count ? tokens[position] : .end }

    private mutating func take(_ token: Token) -> Bool {
        guard current == token else { return false }
        position += 1
        return true
    }

    private mutating func require(_ mark: Character) throws(Refusal) {
        guard take(.mark(mark)) else {
            throw unexpected()
        }
    }

    private func unexpected() -> Refusal {
        switch current {
        case .word(let word): .unsupported(word)
        case .text: .malformed("the filter has a text where none can be")
        case .prefixed(let prefix, _): .unsupported(prefix)
        case .mark(let mark): .malformed("the filter has '\(mark)' where it cannot be")
        case .end: .malformed("the filter ends too early")
        }
    }

    // MARK: - Words

    private mutating func split(_ text: String) throws(Refusal) {
        var rest = Substring(text)
        while let first = rest.first {
            if first == " " || first == "\t" {
                rest.removeFirst()
            } else if "(),/:".contains(first) {
                tokens.append(.mark(first))
                rest.removeFirst()
            } else if first == "'" {
                tokens.append(.text(try Self.quoted(&rest)))
            } else {
                // Times of literals have colons; variables of lambdas end at one.
                let isNumber = first.isNumber || first == "-"
                let word = rest.prefix { !" \t(),/'".contains($0) && (isNumber || $0 != ":") }
                rest.removeFirst(word.count)
                if rest.first == "'" {
                    tokens.append(.prefixed(word.lowercased(), try Self.quoted(&rest)))
                } else {
                    tokens.append(.word(String(word)))
                }
            }
        }
    }

    private static func quoted(_ rest: inout Substring) throws(Refusal) -> String {
        rest.removeFirst()
        var text = ""
        while let next = rest.first {
            rest.removeFirst()
            guard next == "'" else {
                text.append(next)
                continue
            }
            guard rest.first == "'" else { return text }
            rest.removeFirst()
            text.append("'")
        }
        throw .malformed("a text of the filter does not end")
    }

    // MARK: - Conditions

    private mutating func readOr() throws(Refusal) -> PlainFilter {
        var left = try readAnd()
        while take(.word("or")) {
            left = .or(left, try readAnd())
        }
        return left
    }

    private mutating func readAnd() throws(Refusal) -> PlainFilter {
        var left = try readComparison()
        while take(.word("and")) {
            left = .and(left, try readComparison())
        }
        return left
    }

    private mutating func readComparison() throws(Refusal) -> PlainFilter {
        if take(.word("not")) {
            return .not(try readPrimary())
        }
        let left = try readPrimary()
        for word in ["eq", "ne", "gt", "ge", "lt", "le"] where take(.word(word)) {
            return .comparison(word, left, try readPrimary())
        }
        return left
    }

    private mutating func readPrimary() throws(Refusal) -> PlainFilter {
        let token = current
        position += 1
        switch token {
        case .mark("("):
            let inner = try readOr()
            try require(")")
            return inner
        case .text(let text): return .literal(.text(text))
        case .prefixed(let prefix, let text): return try Self.literal(prefix, text)
        case .word(let word): return try readWord(word)
        case .mark, .end:
            position -= 1
            throw unexpected()
        }
    }

    private static func literal(_ prefix: String, _ text: String) throws(Refusal) -> PlainFilter {
        switch prefix {
        case "guid": return .literal(.text(text.lowercased()))
        case "datetime", "datetimeoffset":
            guard let instant = PlainDate.milliseconds(text) else {
                throw .malformed("the filter has an invalid date")
            }
            return .literal(.instant(instant))
        default: throw .unsupported(prefix)
        }
    }

    private mutating func readWord(_ word: String) throws(Refusal) -> PlainFilter {
        switch word {
        case "null": return .literal(.null)
        case "true": return .literal(.bool(true))
        case "false": return .literal(.bool(false))
        case "contains", "startswith", "endswith", "substringof":
            guard take(.mark("(")) else { break }
            let first = try readPrimary()
            try require(",")
            let second = try readPrimary()
            try require(")")
            return word == "substringof" ? .search("contains", second, first) : .search(word, first, second)
        default: break
        }
        if let literal = Self.literal(word) {
            return .literal(literal)
        }
        guard let first = word.unicodeScalars.first, first == "_" || first.properties.isAlphabetic,
            current != .mark("(")
        else {
            throw .unsupported(word)
        }
        return try readPath(word)
    }

    private mutating func readPath(_ first: String) throws(Refusal) -> PlainFilter {
        var path = [first]
        while take(.mark("/")) {
            guard case .word(let word) = current else {
                throw unexpected()
            }
            position += 1
            if word == "any", take(.mark("(")) {
                guard case .word(let name) = current else {
                    throw unexpected()
                }
                position += 1
                try require(":")
                let condition = try readComparison()
                try require(")")
                return .any(path, name, condition)
            }
            guard path.count < 2, current != .mark("(") else {
                throw .unsupported(word)
            }
            path.append(word)
        }
        return .path(path)
    }

    /// A literal without quotes.
    private static func literal(_ word: String) -> PlainValue? {
        guard let first = word.utf8.first, (0x30...0x39).contains(first) || first == UInt8(ascii: "-") || isGuid(word)
        else { return nil }
        if isGuid(word) {
            return .text(word.lowercased())
        }
        if let instant = PlainDate.milliseconds(word) {
            return .instant(instant)
        }
        var digits = word
        if let last = digits.last, "LlMmDdFf".contains(last) {
            digits.removeLast()
        }
        return PlainNumber(digits).map(PlainValue.number)
    }

    private static func isGuid(_ word: String) -> Bool {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(\.isHexDigit)
    }
}
