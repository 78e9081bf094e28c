import Benchmarking
import OfflineStore
import Soups

/// Runs query specs on the filled store: by key, by range, by words.
enum QueryCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        StoreCorpus.all(scope).flatMap { corpus in questions(of: corpus).map { query($0, corpus) } }
    }

    /// Queries of one kind.
    struct Question {
        let workload: String
        let summary: String
        let specs: [QuerySpec]
    }

    /// The queries that suit a corpus: each kind for which it has paths and words.
    static func questions(of corpus: StoreCorpus) -> [Question] {
        let questions = corpus.questions
        var found: [Question] = []
        if let path = questions.keyPath {
            let exact = questions.keys.map { QuerySpec.exact(path: path, matchKey: $0, pageSize: 10) }
            found.append(
                Question(workload: "exact", summary: "finds entries by a key, \(exact.count) queries", specs: exact))
            // Ranges over a path whose values have an order of their own: numbers if the corpus has them.
            let range =
                corpus.isGenerated
                ? Self.amounts
                : questions.keys.prefix(16).map { .range(path: path, from: $0, orderPath: path, pageSize: 100) }
            found.append(
                Question(
                    workload: "range-page",
                    summary: "reads the first page of 100 entries of an open range, \(range.count) queries",
                    specs: range))
        }
        if let path = questions.matchPath, let rare = questions.rareWord, let common = questions.commonWord {
            func match(_ name: String, _ word: String) -> Question {
                Question(
                    workload: "match-\(name)", summary: "finds a \(name) word, first page of 10",
                    specs: [.match(path: path, matchKey: word, pageSize: 10)])
            }
            found += [match("rare", rare), match("common", common)]
        }
        return found
    }

    private static let amounts: [QuerySpec] = (0..<8).map {
        .range(path: "amount", from: .integer($0 * 100_000), orderPath: "amount", pageSize: 100)
    }

    private static func query(_ question: Question, _ corpus: StoreCorpus) -> Cell {
        Cell(
            question.workload, corpus.parameters(), revision: 1, summary: question.summary,
            arms: [.plain, .cipherOff, .cipher],
            comparisons: Cell.Comparison.backends
        ) { arm, workplace in
            let folder = try corpus.filled(workplace)
            var answers = QueryAnswers()
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                try answers.ask(question.specs, of: store)
                return question.specs.count
            } answer: { _, digest in
                answers.feed(&digest)
            }
        }
    }
}
