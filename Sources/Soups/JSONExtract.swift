/// Writes SQLite's expression for the value at a path of the stored entry: the column name of a json1 index spec.
///
/// It is kept in the index map, indexed, and pasted into queries, always as one text. A path of simple names is written
/// as Mobile SDK does, `json_extract(soup, '$.a.b')`, so that their stores and ours have the same. A name with a
/// bracket is put in double quotes: to SQLite `items[0]` would be an element of an array, to us it is a name.
public enum JSONExtract {
    /// What every expression begins with; the column `soup` follows, to which a table's name or alias may be put.
    public static let head = "json_extract("

    /// Writes the expression for the column `soup`.
    public static func expression(_ path: String) -> String { "\(head)soup, '\(jsonPath(path))')" }

    /// Tells whether SQLite's JSON paths can name this path at all: no empty name, nothing that JSON text must escape.
    public static func canExpress(_ path: String) -> Bool {
        let names = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return names.allSatisfy { name in
            !name.isEmpty && name.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        }
    }

    /// The path in SQLite's notation, its quotes doubled for a literal. Linear.
    static func jsonPath(_ path: String) -> String {
        var text = "$"
        for name in path.split(separator: ".", omittingEmptySubsequences: false) {
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
