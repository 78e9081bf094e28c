/// Escapes texts for HTML, SVG and XML.
package enum Markup {
    /// Controls, which XML 1.0 does not allow, become U+FFFD. Line breaks stay also in an attribute.
    package static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x09, 0x0A, 0x0D: bytes += Array("&#\(byte);".utf8)
            case 0..<0x20: bytes += Array("\u{FFFD}".utf8)
            case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
            case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
            case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
            case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A cell that knows its column's title, which narrow pages show in front of it.
    private static func cell(_ title: String, _ text: String) -> String {
        "<td data-title=\"\(escape(title))\">\(escape(text))</td>"
    }

    package static func table(_ header: [String], _ rows: [[String]]) -> String { table(header, groups: [("", rows)]) }

    /// Returns a table whose rows are in groups, each below its title across all columns. A group with an empty title
    /// has no title row.
    static func table(_ header: [String], groups: [(title: String, rows: [[String]])]) -> String {
        "<table><thead><tr>" + header.map { "<th scope=\"col\">\(escape($0))</th>" }.joined()
            + "</tr></thead>"
            + groups.map { group in
                let title =
                    group.title.isEmpty
                    ? ""
                    : "<tr><th class=\"group\" scope=\"rowgroup\" colspan=\"\(header.count)\">\(escape(group.title))</th></tr>\n"
                return "<tbody>" + title
                    + group.rows.map { "<tr>" + zip(header, $0).map(cell).joined() + "</tr>" }.joined(
                        separator: "\n") + "</tbody>"
            }.joined(separator: "\n") + "</table>\n"
    }
}
