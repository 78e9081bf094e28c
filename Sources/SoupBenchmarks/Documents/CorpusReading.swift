import Benchmarking
import JSONText
import Soups

/// Reads the documents of a corpus one after another: checks each as the store would, and keeps what the cells need of
/// all.
struct CorpusReading {
    private let path: String
    private let indexes: [IndexSpec]
    private let scanner: EntryScanner
    private var known = IndexProposal()
    private var questions: QuestionDraw
    private var hash = SHA256()
    /// Whether a document has a value for the index at this position.
    private var valued: [Bool]
    private(set) var count = 0

    init(path: String, indexes: [IndexSpec], seed: UInt64) {
        self.path = path
        self.indexes = indexes
        scanner = EntryScanner(paths: indexes.map(\.path))
        questions = QuestionDraw(indexes: indexes, seed: seed)
        valued = [Bool](repeating: false, count: indexes.count)
    }

    /// Adds a document.
    ///
    /// - Throws: `invalidEntry` with file and line.
    mutating func add(_ line: [UInt8], number: Int) throws(Fault) {
        // The scanned values are only valid within the closure.
        if let (message, offset) = line.withUnsafeBytes({ offer(line, $0) }) {
            let position = offset.map { ", byte \($0)" } ?? ""
            throw Fault(.invalidEntry, "\(path), line \(number)\(position): \(message)", offset: offset)
        }
        known.offer(line)
        hash.update(line)
        count += 1
    }

    /// Scans a document and offers it to the questions. Returns what is wrong with it, and where; `nil` for a valid
    /// one.
    private mutating func offer(
        _ line: [UInt8], _ bytes: UnsafeRawBufferPointer
    ) -> (message: String, offset: Int?)? {
        do throws(JSONError) {
            try scanner.scan(bytes)
        } catch {
            return (error.message, error.offset)
        }
        for position in indexes.indices {
            valued[position] = valued[position] || scanner.values.value(position).kind != .missing
            if let nul = scanner.values.value(position).nulOffset {
                return ("U+0000 in the indexed path \(indexes[position].path)", nul)
            }
        }
        questions.offer(line, scanner.values)
        return nil
    }

    /// The corpus of all documents.
    ///
    /// - Throws: `invalidArguments` if no document has a value for any index.
    func corpus() throws(Fault) -> DocumentCorpus {
        var corpus = DocumentCorpus(
            path: path, indexes: indexes, count: count, hash: hash.hexDigest(), questions: questions.questions())
        corpus.emptyIndexes = indexes.indices.filter { !valued[$0] }.map {
            (indexes[$0], known.nearest(indexes[$0].path))
        }
        guard corpus.emptyIndexes.count < indexes.count else {
            let names = indexes.map { "`\($0.path)`" }.joined(separator: ", ")
            let paths = known.paths.prefix(12).joined(separator: ", ")
            throw Fault(
                .invalidArguments, "no document of \(path) has a value at \(names); paths with values: \(paths)")
        }
        return corpus
    }
}
