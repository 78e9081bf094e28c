import ArgumentParser
import Benchmarking
import SoupBenchmarks
import Soups

/// The values of `--documents` and `--index`.
struct DocumentChoice {
    let path: String?
    let index: [String]

    func validate() throws {
        guard path != nil || index.isEmpty else {
            throw ValidationError("--index needs --documents")
        }
        do throws(Fault) { _ = try specs() } catch { throw ValidationError(error.message) }
    }

    /// Reads the whole file; returns nil if no file is named.
    func corpus(seed: UInt64) throws(Fault) -> DocumentCorpus? {
        guard let path else { return nil }
        return try DocumentCorpus.read(path: path, indexes: try specs(), seed: seed)
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
