import Foundation
import JSONText
import OData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport

@testable import OfflineOData

/// Compares queries over random soups with an evaluation of all rows.
struct EqualityRun {
    /// What the conditions about each line of the table of decisions came to.
    struct Tally {
        var exact = 0
        var superset = 0
        var residual = 0
    }

    private(set) var tallies: [DecisionLine: Tally] = [:]
    private(set) var pairs = 0
    private(set) var refused = 0
    /// What differs, with what is needed to see it again.
    private(set) var differences: [String] = []

    let backEnd: BackEnd
    private var random: SeededRandom
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastLine: ContinuousClock.Instant

    init(_ backEnd: BackEnd, seed: UInt64) {
        self.backEnd = backEnd
        random = SeededRandom(seed: seed)
        start = clock.now
        lastLine = start
    }

    /// The soups that one store has in turn, the queries of a soup, and those under the same indexes.
    private static let (soups, queries, queriesOfIndexes) = (25, 30, 10)

    /// Runs pairs of a soup and a query, until there are so many or one differs.
    mutating func run(_ count: Int, checksEvery step: Int = 1) throws {
        while pairs < count, differences.isEmpty {
            let folder = try TemporaryFolder()
            var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
            options.settings.durability = .relaxed
            let store = try SmartStore(path: folder.file("equality.db"), options: options)
            for _ in 0..<Self.soups where pairs < count && differences.isEmpty {
                try run(store, seed: random.next(), count, checksEvery: step)
                try store.removeSoup("S")
            }
            try store.close()
            sayProgress(of: count)
        }
    }

    /// Says on standard error every 30 seconds how many pairs were compared.
    private mutating func sayProgress(of count: Int) {
        guard clock.now - lastLine >= .seconds(30), pairs < count else { return }
        lastLine = clock.now
        let seconds = Int((lastLine - start).components.seconds)
        let left = seconds * (count - pairs) / max(pairs, 1)
        FileHandle.standardError.write(
            Data("\(backEnd.rawValue): \(pairs) of \(count) pairs in \(seconds) s, about \(left) s left\n".utf8))
    }

    private mutating func run(_ store: SmartStore, seed: UInt64, _ count: Int, checksEvery step: Int) throws {
        var own = SeededRandom(seed: seed)
        // A choice of its own, so that the queries of a seed stay as they are.
        var choice = SeededRandom(seed: seed ^ 0x6B65_7074)
        var soup = try RandomSoup(store, &own)
        var kept: [(text: String, query: SoupQuery)] = []
        for turn in 0..<Self.queries where pairs < count && differences.isEmpty {
            if turn > 0, turn % Self.queriesOfIndexes == 0 {
                try soup.alter(&own)
            }
            var query = soup.query(&own)
            let parsed = try compare(
                query, soup, pageSize: Int.random(in: 1...20, using: &own), checks: turn % step == 0)
            if let parsed {
                kept.append((query, parsed))
            }
            // A query that was kept has also run before the indexes were changed.
            if turn % 3 == 0, differences.isEmpty, let known = kept.randomElement(using: &choice) {
                query = known.text + " (kept)"
                try compare(known.query, known.text, soup)
            }
            if let difference = differences.last {
                let specs = soup.specs.map { "\($0.path):\($0.type.rawValue)" }
                differences[differences.count - 1] =
                    "soup seed \(seed), turn \(turn), version \(soup.version.rawValue), \(specs), members \(soup.members), model \(soup.model != nil): \(query): \(difference)"
            }
        }
    }

    // MARK: - One pair

    /// Returns the query; nil if it is refused.
    private mutating func compare(
        _ text: String, _ soup: RandomSoup, pageSize: Int, checks: Bool
    ) throws -> SoupQuery? {
        let type = soup.model == nil ? nil : "N.T"
        let query: SoupQuery
        do {
            query = try SoupQuery(text, version: soup.version, model: soup.model, entityType: type, pageSize: pageSize)
        } catch let fault {
            let other = Self.fault {
                _ = try ODataOptionRunner(
                    text, version: soup.version, model: soup.describedModel, entityType: type)
            }
            if other?.code != fault.code {
                differences.append("the query is refused: \(fault), the evaluation: \(other.map { "\($0)" } ?? "not")")
            }
            refused += 1
            return nil
        }
        pairs += 1
        try compare(query, text, soup)
        if checks, differences.isEmpty {
            try check(query, soup, soup.entities)
        }
        return query
    }

    private mutating func compare(_ query: SoupQuery, _ text: String, _ soup: RandomSoup) throws {
        let type = soup.model == nil ? nil : "N.T"
        let runner = try ODataOptionRunner(
            text, version: soup.version, model: soup.describedModel, entityType: type)
        let rows = soup.entities
        let expected = Result { try runner.apply(to: rows) }
        let found = Result { try Self.walk(soup.store, query) }
        switch (expected, found) {
        case (.success(let expected), .success(let found)):
            let ids = expected.entities.map { $0["_soupEntryId"]?.int64 ?? 0 }
            let stored = ids.map { soup.rows[$0] ?? [] }
            if found.rows != stored {
                differences.append("expected \(ids), found \(found.rows.map(Self.id(of:)))")
            } else if found.count != expected.count {
                differences.append(
                    "expected the count \(String(describing: expected.count)), found \(String(describing: found.count))"
                )
            }
        case (.failure(let expected as Fault), .failure(let found as Fault)):
            if expected.code != found.code {
                differences.append("expected \(expected.code), found \(found.code)")
            }
        default: differences.append("one of them fails: expected \(expected), found \(found)")
        }
    }

    private static func walk(_ store: SmartStore, _ query: SoupQuery) throws -> (rows: [[UInt8]], count: Int64?) {
        var cursor = try store.query(odata: query, in: "S")
        var rows = cursor.page
        while try cursor.next() {
            rows += cursor.page
        }
        return (rows, cursor.count)
    }

    private static func id(of row: [UInt8]) -> Int64 {
        (try? JSONValue(parsing: row))?["_soupEntryId"]?.int64 ?? 0
    }

    private static func fault(_ work: () throws -> Void) -> Fault? {
        do {
            try work()
            return nil
        } catch {
            return error as? Fault
        }
    }

    // MARK: - Conditions

    /// Checks for each conjunct and each row that a true one is a candidate, and that a sure candidate is true.
    private mutating func check(_ query: SoupQuery, _ soup: RandomSoup, _ rows: [JSONValue]) throws {
        let run = try SoupQueryRun(query, store: soup.store, soup: "S", relations: [])
        guard let filter = run.options.filter else { return }
        let registered = try soup.store.snapshot { (snapshot) throws(Fault) in try snapshot.soup("S") }
        for walks in [false, true] {
            for conjunct in FilterPlan(filter, soup: registered, walks: walks).conjuncts {
                guard let bounds = conjunct.bounds else {
                    tallies[.none, default: Tally()].residual += 1
                    continue
                }
                switch conjunct.answer {
                case .sql: tallies[bounds.line, default: Tally()].exact += 1
                case .superset: tallies[bounds.line, default: Tally()].superset += 1
                case .residual: tallies[bounds.line, default: Tally()].residual += 1
                }
                try check(bounds, conjunct.node, filter, soup, rows)
            }
        }
    }

    private mutating func check(
        _ bounds: Bounds, _ node: Int, _ filter: ODataEvaluator, _ soup: RandomSoup, _ rows: [JSONValue]
    ) throws {
        let (candidate, sure) = (SQLText(bounds.candidate, isNullSafe: true), SQLText(bounds.sure, isNullSafe: true))
        let proved = try soup.store.rows(
            "SELECT {S:_soupEntryId}, \(candidate.text), \(sure.text) FROM {S} ORDER BY 1",
            arguments: candidate.arguments + sure.arguments, limit: 100)
        for (row, cells) in zip(rows, proved) {
            guard let isTrue = try? filter.truth(of: node, for: row) else { continue }
            let isCandidate = cells[1] == .value(.integer(1))
            let isSure = cells[2] == .value(.integer(1))
            if isTrue == true, !isCandidate {
                differences.append("\(bounds.line): a row is lost: \(row["_soupEntryId"]?.int64 ?? 0)")
            } else if isTrue != true, isCandidate, isSure {
                differences.append("\(bounds.line): a row is kept wrongly: \(row["_soupEntryId"]?.int64 ?? 0)")
            }
        }
    }
}
