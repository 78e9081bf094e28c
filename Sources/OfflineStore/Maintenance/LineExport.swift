import JSONText
import SQLiteAccess
import Soups

/// Reads the entries of a soup as JSON lines, one after the other.
struct LineExport {
    let soup: RegisteredSoup
    let session: StoreSession
    /// Whether `_soupEntryId` and `_soupLastModifiedDate` stay in the lines.
    let systemFields: Bool

    /// Gives each line with its line feed, in the order of ids. Memory is bounded by the longest entry.
    func forEachLine(_ body: ([UInt8]) throws(Fault) -> Void) throws(Fault) {
        let column = soup.storesExternally ? "lastModified" : "soup"
        let rows = try session.connection.statement("SELECT id, \(column) FROM \(soup.tableName) ORDER BY id")
        defer { rows.reset() }
        let scanner = systemFields ? nil : EntryScanner(paths: [])
        while try rows.step() {
            let text: [UInt8]
            if soup.storesExternally {
                let element = ElementVersion(table: soup.id, id: rows.integer(at: 0), version: rows.integer(at: 1))
                text = try session.element(element)
            } else {
                text = rows.bytes(at: 1)
            }
            try StoredEntry.check(text, id: rows.integer(at: 0))
            try body(Self.line(text, systemFields: systemFields, scanner))
        }
    }

    /// An entry as a line, with its line feed.
    ///
    /// - Parameter scanner: A scanner for many entries.
    static func line(
        _ text: [UInt8], systemFields: Bool, _ scanner: EntryScanner? = nil
    ) throws(Fault) -> [UInt8] {
        var line = systemFields ? text : try withoutSystemFields(text, scanner ?? EntryScanner(paths: []))
        // Outside of texts these are blanks; inside they cannot be.
        for index in line.indices where line[index] == UInt8(ascii: "\n") || line[index] == UInt8(ascii: "\r") {
            line[index] = UInt8(ascii: " ")
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// The bytes as they were given, without the two members.
    private static func withoutSystemFields(_ text: [UInt8], _ scanner: EntryScanner) throws(Fault) -> [UInt8] {
        var line: [UInt8] = []
        let isScanned = text.withUnsafeBytes { bytes in
            guard (try? scanner.scan(bytes)) != nil else { return false }
            scanner.appendWithoutSystemFields(to: &line)
            return true
        }
        return isScanned ? line : try rewritten(text)
    }

    /// An entry of another implementation that is nested deeper, or has a name twice, is written again.
    private static func rewritten(_ text: [UInt8]) throws(Fault) -> [UInt8] {
        guard var entry = try EntryEdit.object(text) else {
            throw Fault(.corrupt, "a stored entry is not an object")
        }
        entry["_soupEntryId"] = nil
        entry["_soupLastModifiedDate"] = nil
        return JSONValue.object(entry).bytes(.compact)
    }
}
