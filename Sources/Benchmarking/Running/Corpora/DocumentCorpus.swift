public import Soups

/// Somebody's own documents: a file with one JSON object a line, and the paths to index.
public struct DocumentCorpus: Sendable {
    public let path: String
    public let indexes: [IndexSpec]

    public init(path: String, indexes: [IndexSpec]) {
        self.path = path
        self.indexes = indexes
    }
}
