import ArgumentParser
import Benchmarking
import SoupBenchmarks
import Soups

/// The options that name the user's own documents.
struct DocumentOptions: ParsableArguments {
    @Option(
        help:
            "A file of your own documents instead of generated ones: JSON lines, a JSON array, or comma-separated values with a header; also packed by gzip."
    )
    var documents: String?

    @Option(
        help:
            "A path of the documents to index, as PATH:TYPE (string, integer, floating, json1, full_text); may be given several times."
    )
    var index: [String] = []

    func validate() throws { try own.validate() }

    /// Reads the whole file; returns nil if no file is named.
    func corpus(seed: UInt64) throws(Fault) -> DocumentCorpus? { try own.corpus(seed: seed) }

    private var own: DocumentChoice { DocumentChoice(path: documents, index: index) }
}
