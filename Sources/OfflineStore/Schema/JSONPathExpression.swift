import Soups

/// Writes the expression that stands for a json1 index path. It is kept in the index map, indexed, and pasted into queries, always as one text.
enum JSONPathExpression {
    /// `json_extract(soup, '$.a.b')`; a name that SQLite would read as more than a name is put into double quotes, a `'` is doubled.
    static func text(for path: String) -> String {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map { name in
            name.utf8.contains(UInt8(ascii: "[")) ? "\"\(name)\"" : String(name)
        }
        let quoted = names.joined(separator: ".").split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        return "json_extract(soup, '$.\(quoted)')"
    }

    /// Whether SQLite's JSON paths can name this path at all: no empty name, nothing that JSON text must escape.
    static func canExpress(_ path: String) -> Bool {
        let names = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return names.allSatisfy { name in
            !name.isEmpty && name.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        }
    }
}
