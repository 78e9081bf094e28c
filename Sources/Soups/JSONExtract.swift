/// Writes SQLite's expression for the value at a path of the stored entry: the column name of a json1 index spec.
///
/// The same text is stored in the index map, indexed and used in queries. A path of simple names is written as in
/// Mobile SDK, `json_extract(soup, '$.a.b')`, so that both create the same stores. A name with a bracket is put in
/// double quotes: SQLite would read `items[0]` as an array element, but here it is a name.
public enum JSONExtract {
    /// The start of every expression. The column `soup` follows, optionally qualified by a table name or alias.
    public static let head = "json_extract("

    /// Writes the expression for the column `soup`.
    public static func expression(_ path: String) -> String { "\(head)soup, '\(jsonPath(path))')" }

    /// Says whether SQLite's JSON paths can express the path: it has no empty name and no character that JSON must
    /// escape.
    public static func canExpress(_ path: String) -> Bool {
        let names = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return names.allSatisfy { name in
            !name.isEmpty && name.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        }
    }

    /// The path in SQLite's notation, with quotes doubled for a literal. O(n) in its length.
    static func jsonPath(_ path: String) -> String {
        var text = "$"
        for name in path.dottedNames {
            let needsQuotes = name.utf8.contains(UInt8(ascii: "["))
            text += needsQuotes ? ".\"" : "."
            for scalar in name.unicodeScalars {
                if scalar == "'" {
                    text += "'"
                }
                text.unicodeScalars.append(scalar)
            }
            if needsQuotes {
                text += "\""
            }
        }
        return text
    }
}
