/// Names the documents that cells measure with, and the hash of their content. Part of run.json.
package struct Corpus: Sendable, Hashable {
    package let name: String
    /// Two corpora with one name and different hashes are different documents.
    package let hash: String

    package init(name: String, hash: String) {
        self.name = name
        self.hash = hash
    }

    /// Creates the name of a generated corpus with a number of entries.
    package init(generated entries: Int, hash: String) {
        self.init(name: "\(Self.generatedPrefix)entries=\(entries)", hash: hash)
    }

    /// Whether the documents were generated instead of read from a file of the user.
    var isGenerated: Bool { name.utf8.starts(with: Self.generatedPrefix.utf8) }

    /// The number of entries in the name of a generated corpus; nil for another name.
    var generatedEntries: Int? {
        let prefix = Self.generatedPrefix + "entries="
        return name.utf8.starts(with: prefix.utf8) ? Int(name.dropFirst(prefix.count)) : nil
    }

    /// Whether the cell of that name measures with these documents.
    func isUsed(byCell id: String) -> Bool {
        if isGenerated {
            return id.utf8Contains("entries=") && !id.utf8Contains("corpus=")
        }
        return id.utf8Contains("corpus=\(name)")
    }

    private static let generatedPrefix = "generated/"
}
