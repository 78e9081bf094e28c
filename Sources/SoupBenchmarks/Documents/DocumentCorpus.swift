package import Benchmarking
package import JSONText
package import Soups

/// The user's own documents: a file in one of the formats of `DocumentLines`, the paths to index, and what was found
/// when the file was first read.
///
/// The runner reads the file once and refuses it if any line is malformed. Workers read it when they need it; it is
/// never kept in memory.
package struct DocumentCorpus: OwnDocuments {
    package let path: String
    package let indexes: [IndexSpec]
    /// The number of documents in the file.
    package let count: Int
    /// SHA-256 of all documents.
    package let hash: String
    /// Indexes for which no document has a value, each with the nearest path that has some: known where the file was
    /// read, and not in workers.
    package var emptyIndexes: [(index: IndexSpec, nearest: String?)] = []
    /// What the cells query: see `CorpusQuestions`.
    let questions: CorpusQuestions

    /// The file's name without its folder and ending.
    package var name: String {
        let last = path.split(separator: "/").last.map { String($0) } ?? path
        let name = last.hasSuffix(".gz") ? String(last.dropLast(3)) : last
        return name.hasSuffix(".jsonl") ? String(name.dropLast(6)) : name
    }

    /// Reads the whole file, checks each line as the store would, and draws the keys and words for the cells.
    ///
    /// Time: one pass. Memory: the longest line and some hundred sampled values. Nothing is written.
    ///
    /// - Throws: `invalidEntry` with file and line; `invalidArguments` for an empty file or no index; `inputOutput`.
    package static func read(path: String, indexes: [IndexSpec], seed: UInt64) throws(Fault) -> DocumentCorpus {
        guard !indexes.isEmpty else {
            throw try proposal(path)
        }
        let lines = try DocumentLines(path: path)
        var reading = CorpusReading(path: path, indexes: indexes, seed: seed)
        while let line = try lines.next() {
            do throws(Fault) {
                try reading.add(line, number: lines.number)
            } catch {
                // A text over several lines, or the only line, may be an object that holds the documents.
                throw (lines.number == 1 ? try singleObject(path) : nil) ?? error
            }
        }
        guard reading.count > 0 else {
            throw Fault(.invalidArguments, "\(path) contains no document")
        }
        if reading.count == 1, let advice = try singleObject(path) {
            throw advice
        }
        return try reading.corpus()
    }

    /// What to say if no index is named: which ones the documents suggest.
    private static func proposal(_ path: String) throws(Fault) -> Fault {
        let lines = try DocumentLines(path: path)
        var found = IndexProposal()
        while !found.isFull, let line = try lines.next() {
            found.offer(line)
        }
        let specs = found.specs.map { "--index \($0)" }.joined(separator: " ")
        let example = specs.isEmpty ? "--index Path:string" : specs
        return try singleObject(path)
            ?? Fault(.invalidArguments, "name at least one path to index; for \(path) for example: \(example)")
    }

    private static func singleObject(_ path: String) throws(Fault) -> Fault? {
        let bytes = try DocumentBytes(path: path)
        guard bytes.head.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return nil }
        guard let text = try? bytes.all(limit: DocumentFormat.longestWhole, "one object") else { return nil }
        return SingleObject.advice(text, path: path)
    }
}

extension DocumentCorpus {
    package var corpus: Corpus { Corpus(name: name, hash: hash) }

    package var json: JSONValue {
        [
            "path": .string(path),
            "indexes": .array(indexes.map { ["path": .string($0.path), "type": .string($0.type.rawValue)] }),
            "count": .number(JSONNumber(Int64(count))), "hash": .string(hash), "questions": questions.json,
        ]
    }

    init(json: JSONValue) throws(Fault) {
        let listed = json["indexes"]?.array
        let indexes = listed?.compactMap { index -> IndexSpec? in
            guard let path = index["path"]?.string, let type = index["type"]?.string.flatMap(IndexType.init) else {
                return nil
            }
            return IndexSpec(path: path, type: type)
        }
        guard let path = json["path"]?.string, let indexes, indexes.count == listed?.count, !indexes.isEmpty,
            let count = json["count"]?.int64.flatMap({ Int(exactly: $0) }), (1...Sample.limit).contains(count),
            let hash = json["hash"]?.string, let questions = json["questions"]
        else {
            throw Fault(.invalidArguments, "malformed documents in a request to a benchmark worker")
        }
        self.init(
            path: path, indexes: indexes, count: count, hash: hash, questions: try CorpusQuestions(json: questions))
    }
}
