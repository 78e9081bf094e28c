import Benchmarking
import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// Smart SQL over many entries: aggregates of groups, and a join of two soups.
enum AggregateCells: CellSource {
    private static let groups = "groups"

    private static let statements = [
        (
            "smart-aggregate", "counts and sums the entries of each of 50 categories",
            "SELECT {items:category}, count(*), sum({items:amount}) FROM {items} GROUP BY {items:category} ORDER BY {items:category}"
        ),
        (
            "smart-join", "joins every entry with one of 50 entries of another soup, and sums up by the latter",
            "SELECT {groups:label}, count(*), max({items:amount}) FROM {items}, {groups} WHERE {items:category} = {groups:category} GROUP BY {groups:label} ORDER BY {groups:label}"
        ),
    ]

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return StoreCorpus.all(scope).flatMap { corpus in
            statements.map { cell(corpus, $0.0, $0.1, statement: $0.2) }
        }
    }

    private static func cell(_ corpus: StoreCorpus, _ name: String, _ summary: String, statement: String) -> Cell {
        Cell(
            name, corpus.parameters(), revision: 1, summary: summary, arms: [.plain, .cipherOff, .cipher],
            comparisons: Cell.Comparison.backends, profile: .full
        ) { arm, workplace in
            let folder = try workplace.template("aggregates-\(corpus.count)") { try fill($0, arm, corpus) }
            var found: [[StoreCell]] = []
            return StoreSubject(
                try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers
            ) { store, _ in
                found = try store.rows(statement, limit: 1_000)
                return corpus.count
            } answer: { _, digest in
                for row in found {
                    digest.add(String(describing: row))
                }
            }
        }
    }

    private static func fill(_ folder: String, _ arm: Arm, _ corpus: StoreCorpus) throws {
        let store = try StorageArm.open(arm, in: folder)
        _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: [.string("category"), .integer("amount")])
        _ = try store.registerSoup(groups, indexSpecs: [.string("category"), .string("label")])
        try corpus.forEachBatch { try store.upsert($0, into: StoreCorpus.soup) }
        let labels = (0..<GeneratedCorpus.categories).map { number -> JSONValue in
            ["category": .string(GeneratedCorpus.category(number)), "label": .string("group \(number % 7)")]
        }
        try store.upsert(labels, into: groups)
        try store.close()
    }
}
