import Soups

/// Names the result columns of a Smart SQL text that are a plain `{soup:path}` without an alias: by the path.
///
/// SQLite names them by the column of the table, which says nothing to the caller.
public enum ResultColumns {
    /// For each item of the select list its path, or nil where it is anything else. Nil if the text does not list its
    /// items, as with `WITH`, `VALUES` and `*`. O(n) in the length of the text.
    public static func paths(of smartSql: String) -> [String?]? {
        let bytes = Array(smartSql.utf8)
        var lexer = SQLLexer(bytes)
        guard let first = try? lexer.next(), first.keyword == .select, var token = try? lexer.next() else { return nil }
        if token.keyword == .distinct || isAll(token, bytes), let next = try? lexer.next() {
            token = next
        }
        var previous = first
        var paths: [String?] = []
        var item: [SQLToken] = []
        var depth = 0
        while true {
            switch token.kind {
            case .open: depth += 1
            case .close: depth -= 1
            default: break
            }
            // `IS DISTINCT FROM` compares two values.
            let isComparison = token.keyword == .from && previous.keyword == .distinct
            let isLast = depth == 0 && ((ends(token) && !isComparison) || token.kind == .end)
            if depth == 0, isLast || token.kind == .comma {
                guard let path = path(of: item, bytes) else { return nil }
                paths.append(path)
                item = []
            } else if item.count < 3 {
                // Only the first tokens decide.
                item.append(token)
            }
            guard !isLast else { return paths }
            guard token.kind != .end, let next = try? lexer.next() else { return nil }
            previous = token
            token = next
        }
    }

    private static func isAll(_ token: SQLToken, _ bytes: [UInt8]) -> Bool {
        token.kind == .word && bytes[token.start..<token.end].elementsEqual("all".utf8) { $0 | 0x20 == $1 }
    }

    private static func ends(_ token: SQLToken) -> Bool {
        token.keyword == .from || (token.keyword?.endsTables ?? false) || token.kind == .semicolon
    }

    /// The path of an item; nil inside for an expression, nil outside where it may be several columns.
    private static func path(of item: [SQLToken], _ bytes: [UInt8]) -> String?? {
        guard let first = item.first else { return nil }
        if let last = item.last, bytes[last.start] == UInt8(ascii: "*"), item.count == 1 || item[1].kind == .dot {
            return nil
        }
        guard item.count == 1, first.kind == .reference else {
            return .some(nil)
        }
        let inner = bytes[(first.start + 1)..<(first.end - 1)]
        guard let colon = inner.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return .some(String(decoding: inner[(colon + 1)...], as: UTF8.self))
    }
}
