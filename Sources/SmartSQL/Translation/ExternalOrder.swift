import Soups

/// Refuses a number in ORDER BY that stands for a result with entries in files: SQL would sort by the references.
struct ExternalOrder {
    /// The results of one SELECT.
    private struct Results {
        /// The number of the result that is being read, from 1 on.
        var current = 1
        /// The numbers of results that are entries in files.
        var entries: Set<Int> = []
        /// Whether a result may be several columns, so that the numbers after it are not known.
        var hasStar = false
    }

    private var results: [Int: Results] = [:]
    /// The depths of the parentheses whose ORDER BY is being read.
    private var depths: [Int] = []
    /// Whether a term of ORDER BY begins.
    private var beginsTerm = false

    /// Notes that the result that is being read is an entry in a file.
    mutating func noteEntry(in scopes: SelectScopes) {
        guard let scope = scopes.current else { return }
        let known = results[scope] ?? Results()
        guard !known.hasStar else { return }
        results[scope, default: Results()].entries.insert(known.current)
    }

    /// Reads a token that the scopes have read.
    ///
    /// - Throws: `sqlError` at the number.
    mutating func read(
        _ token: SQLToken, after previous: SQLToken, _ next: SQLToken, in scopes: SelectScopes, _ text: [UInt8]
    ) throws(Fault) {
        if scopes.listsResults, let scope = scopes.current {
            count(token, after: previous, in: scope, text)
            return
        }
        while let last = depths.last, last > scopes.depth {
            depths.removeLast()
        }
        if depths.last == scopes.depth, token.keyword?.endsTables ?? false {
            depths.removeLast()
        }
        if previous.keyword == .order, token.spells("by", in: text), scopes.isInSelect {
            depths.append(scopes.depth)
            beginsTerm = true
        } else if token.kind == .comma {
            beginsTerm = depths.last == scopes.depth
        } else if beginsTerm, !Self.mayPrecede(token, text) {
            beginsTerm = false
            if let number = Self.number(token, next, text) {
                try check(number, in: scopes, at: token.start)
            }
        }
    }

    private mutating func count(_ token: SQLToken, after previous: SQLToken, in scope: Int, _ text: [UInt8]) {
        if token.kind == .comma {
            results[scope, default: Results()].current += 1
        } else if token.kind == .other, text[token.start] == UInt8(ascii: "*"),
            [.comma, .dot].contains(previous.kind) || [.select, .distinct].contains(previous.keyword)
                || previous.spells("all", in: text)
        {
            results[scope, default: Results()].hasStar = true
        }
    }

    /// SQLite takes a number in parentheses, or with a sign, for that of a result too.
    private static func mayPrecede(_ token: SQLToken, _ text: [UInt8]) -> Bool {
        token.kind == .open || (token.kind == .other && text[token.start] == UInt8(ascii: "+"))
    }

    /// The number that a term consists of; nil for another term.
    private static func number(_ token: SQLToken, _ next: SQLToken, _ text: [UInt8]) -> Int? {
        guard token.kind == .number else { return nil }
        let isWhole =
            [.comma, .close, .semicolon, .end].contains(next.kind)
            || ["asc", "desc", "nulls", "collate", "limit", "offset"].contains { next.spells($0, in: text) }
        guard isWhole else { return nil }
        let digits = String(decoding: text[token.start..<token.end], as: UTF8.self).lowercased()
        return digits.hasPrefix("0x") ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
    }

    private func check(_ number: Int, in scopes: SelectScopes, at offset: Int) throws(Fault) {
        guard let scope = scopes.current else { return }
        let ordered = scopes.scopes[scope].ordered
        let selects = ordered.isEmpty ? [scope] : ordered
        guard selects.contains(where: { results[$0]?.entries.contains(number) ?? false }) else { return }
        throw Fault(
            .sqlError, "an entry that is kept in a file cannot be sorted by; sort by an index or by _soupEntryId",
            offset: offset)
    }
}
