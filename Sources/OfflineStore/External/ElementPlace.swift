/// Names one version of one entry outside the table. The row's id and date of modification name it completely.
struct ElementPlace: Hashable {
    let table: Int64
    let id: Int64
    /// The `lastModified` of the row; it grows with each change of the entry, so no two versions share a file.
    let version: Int64

    var fileName: String { "soupelt_\(id)_\(version)" }
    /// What Mobile SDK calls the file: it keeps one version only.
    var legacyFileName: String { "soupelt_\(id)" }

    /// The id in a name that Mobile SDK gave; nil where it is another name.
    static func id(ofLegacyFileName name: String) -> Int64? {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == "soupelt" ? Int64(parts[1]) : nil
    }

    /// Reads a file name; nil where it is no version of an entry.
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
