import ArgumentParser
import Benchmarking
import SoupBenchmarks
import Soups

/// The values of `--documents` and `--index`.
struct DocumentChoice {
    let path: String?
    let index: [String]

    /// Of fewer documents figures are shown with a warning.
    private static let fewDocuments = 100

    func validate() throws {
        guard path != nil || index.isEmpty else {
            throw ValidationError("--index needs --documents")
        }
        do throws(Fault) { _ = try specs() } catch { throw ValidationError(error.message) }
    }

    /// Reads the whole file; returns nil if no file is named.
    func corpus(seed: UInt64) throws(Fault) -> DocumentCorpus? {
        guard let path else { return nil }
        let corpus = try DocumentCorpus.read(path: path, indexes: try specs(), seed: seed)
        for empty in corpus.emptyIndexes {
            let advice = empty.nearest.map { "; did you mean \($0)?" } ?? ""
            StandardError.say("documents: no document has a value at the index \(empty.index.path)\(advice)")
        }
        if corpus.count < Self.fewDocuments {
            StandardError.say(
                "documents: \(path) has only \(corpus.count) documents: figures of so few say little about a soup")
        }
        return corpus
    }

    private func specs() throws(Fault) -> [IndexSpec] {
        var specs: [IndexSpec] = []
        for text in index {
            guard let colon = text.lastIndex(of: ":"),
                let type = IndexType(rawValue: String(text[text.index(after: colon)...])), colon > text.startIndex
            else {
                throw Fault(
                    .invalidArguments,
                    "--index takes PATH:TYPE with a type of string, integer, floating, json1, full_text: \(text)")
            }
            specs.append(IndexSpec(path: String(text[..<colon]), type: type))
        }
        return specs
    }
}
