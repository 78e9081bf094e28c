import JSONText
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

extension DocumentCorpus {
    var json: JSONValue {
        ["path": .string(path), "indexes": .array(indexes.map { ["path": .string($0.path), "type": .string($0.type.rawValue)] })]
    }

    init(json: JSONValue) throws(Fault) {
        let indexes = json["indexes"]?.array?.compactMap { index -> IndexSpec? in
            guard let path = index["path"]?.string, let type = index["type"]?.string.flatMap(IndexType.init) else { return nil }
            return IndexSpec(path: path, type: type)
        }
        guard let path = json["path"]?.string, let indexes else { throw Fault(.invalidArguments, "a worker was given documents that it cannot read") }
        self.init(path: path, indexes: indexes)
    }
}
