/// Names one version of one external entry. The id and the date of modification in the row identify it.
struct ElementVersion: Hashable {
    let table: Int64
    let id: Int64
    /// The `lastModified` of the row; it grows with each change of the entry, so no two versions share a file.
    let version: Int64

    var fileName: String { "soupelt_\(id)_\(version)" }
    /// The name that Mobile SDK gives the file: it keeps one version only.
    var legacyFileName: String { "soupelt_\(id)" }

    /// The id in a name that Mobile SDK gave; nil for any other name.
    static func id(ofLegacyFileName name: String) -> Int64? {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == "soupelt" ? Int64(parts[1]) : nil
    }

    /// Parses a file name; nil if it does not name a version of an entry.
    init?(table: Int64, fileName: String) {
        let parts = fileName.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "soupelt", let id = Int64(parts[1]), let version = Int64(parts[2]) else {
            return nil
        }
        self.init(table: table, id: id, version: version)
    }

    init(table: Int64, id: Int64, version: Int64) {
        self.table = table
        self.id = id
        self.version = version
    }
}
