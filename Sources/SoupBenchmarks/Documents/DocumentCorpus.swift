package import Benchmarking
package import JSONText
package import Soups

/// The user's own documents: a file with one JSON object in each line, the paths to index, and what was found when the
/// file was first read.
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
    /// What the cells query: see `CorpusQuestions`.
    let questions: CorpusQuestions

    /// The file's name without its folder and ending.
    package var name: String {
        let last = path.split(separator: "/").last.map { String($0) } ?? path
        return last.hasSuffix(".jsonl") ? String(last.dropLast(6)) : last
    }

    /// Reads the whole file, checks each line as the store would, and draws the keys and words for the cells.
    ///
    /// Time: one pass. Memory: the longest line and some hundred sampled values. Nothing is written.
    ///
    /// - Throws: `invalidEntry` with file and line; `invalidArguments` for an empty file or no index; `inputOutput`.
    package static func read(path: String, indexes: [IndexSpec], seed: UInt64) throws(Fault) -> DocumentCorpus {
        guard !indexes.isEmpty else {
            throw Fault(.invalidArguments, "name at least one path to index: --index Path:string")
        }
        let lines = try DocumentLines(path: path)
        let scanner = EntryScanner(paths: indexes.map(\.path))
        var questions = QuestionDraw(indexes: indexes, seed: seed)
        var hash = SHA256()
        var count = 0
        while let line = try lines.next() {
            let number = lines.number
            func refuse(_ message: String, _ offset: Int?) -> Fault {
                let place = offset.map { ", byte \($0)" } ?? ""
                return Fault(.invalidEntry, "\(path), line \(number)\(place): \(message)", offset: offset)
            }
            let fault = line.withUnsafeBytes { bytes -> Fault? in
                do throws(JSONError) {
                    try scanner.scan(bytes)
                } catch {
                    return refuse(error.message, error.offset)
                }
                for place in indexes.indices {
                    if let nul = scanner.values.value(place).nulOffset {
                        return refuse("U+0000 in the indexed path \(indexes[place].path)", nul)
                    }
                }
                questions.offer(line, scanner.values)
                return nil
            }
            if let fault {
                throw fault
            }
            hash.update(line)
            count += 1
        }
        guard count > 0 else {
            throw Fault(.invalidArguments, "\(path) contains no document")
        }
        return DocumentCorpus(
            path: path, indexes: indexes, count: count, hash: hash.hexDigest(), questions: questions.questions())
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
