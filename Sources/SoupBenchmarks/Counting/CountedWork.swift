import Benchmarking
import JSONText
import OData
import OfflineStore
import Soups

/// A hot path whose instructions and allocations are counted; the raw value is a parameter of its cell.
package enum CountedWork: String, CaseIterable, Sendable {
    case upsert, retrieve, exact, page, match
    case parse, evaluate

    /// The works that are counted in one process, on a store or without one.
    static func all(storing: Bool) -> [CountedWork] { allCases.filter { $0.usesStore == storing } }

    var usesStore: Bool { self != .parse && self != .evaluate }

    /// How often it is done first. Then it is done twice as often, and the difference is the cost of this number.
    var times: Int {
        switch self {
        case .upsert: 50
        case .retrieve, .exact, .parse, .evaluate: 100
        case .page, .match: 10
        }
    }

    var summary: String {
        switch self {
        case .upsert: "instructions and allocations of an inserted entry, 50 a transaction"
        case .retrieve: "instructions and allocations of an entry that is read by id"
        case .exact: "instructions and allocations of a query by a key"
        case .page: "instructions and allocations of a page of 100 entries in the order of numbers"
        case .match: "instructions and allocations of a query for a common word: the number of entries and the first 10"
        case .parse: "instructions and allocations of finding the values of index paths in a document"
        case .evaluate: "instructions and allocations of deciding an OData filter of three conditions for an entity"
        }
    }

    /// Returns the work as a closure that does it a number of times.
    ///
    /// - Parameter store: A store that holds the documents; nil for what works without one.
    func prepare(_ store: SmartStore?, _ corpus: StoreCorpus) throws -> (Int) throws -> Void {
        switch self {
        case .parse: return try Self.parsing(corpus)
        case .evaluate: return try Self.evaluating()
        case .upsert, .retrieve, .exact, .page, .match:
            guard let store else {
                throw Fault(.invalidArguments, "counting \(rawValue) needs a store")
            }
            return try storing(store, corpus)
        }
    }

    // MARK: - With a store

    private func storing(_ store: SmartStore, _ corpus: StoreCorpus) throws -> (Int) throws -> Void {
        let soup = StoreCorpus.soup
        let ids = corpus.ids(64, seed: 1)
        let specs = Self.specs(of: self, corpus)
        guard self == .upsert || self == .retrieve || !specs.isEmpty else {
            throw Fault(.invalidArguments, "there are no queries to count")
        }
        let batch = self == .upsert ? try Self.batch(corpus) : []
        return { count in
            switch self {
            case .upsert:
                for _ in 0..<count / batch.count {
                    try store.upsert(batch, into: soup)
                }
            case .retrieve:
                for number in 0..<count {
                    _ = try store.retrieve(id: ids[number % ids.count], from: soup)
                }
            case .exact, .page, .match, .parse, .evaluate:
                for number in 0..<count {
                    let cursor = try store.query(specs[number % specs.count], soup: soup)
                    if self == .match {
                        _ = try cursor.totalEntries
                    }
                }
            }
        }
    }

    private static func specs(of work: CountedWork, _ corpus: StoreCorpus) -> [QuerySpec] {
        let name: String
        switch work {
        case .exact: name = "exact"
        case .page: name = "range-page"
        case .match: name = "match-common"
        case .upsert, .retrieve, .parse, .evaluate: return []
        }
        let found = QueryCells.questions(of: corpus).first { ByteKey($0.workload) == ByteKey(name) }?.specs ?? []
        // A page of the same number at every turn, so that twice as many cost twice as much.
        return Array(found.prefix(work == .page ? 1 : found.count))
    }

    /// Documents that the store does not hold, for one transaction.
    private static func batch(_ corpus: StoreCorpus) throws -> [[UInt8]] {
        guard case .generated(let generated) = corpus.source else {
            throw Fault(.invalidArguments, "only generated documents are counted with")
        }
        return (0..<CountedWork.upsert.times).map { generated.document(at: $0, version: 1) }
    }

    // MARK: - Without one

    private static func parsing(_ corpus: StoreCorpus) throws -> (Int) throws -> Void {
        let scanner = EntryScanner(paths: corpus.indexes.map(\.path))
        let documents = try batch(corpus)
        return { count in
            for number in 0..<count {
                try documents[number % documents.count].withUnsafeBytes { try scanner.scan($0) }
            }
        }
    }

    private static func evaluating() throws -> (Int) throws -> Void {
        let expression = try ODataExpression(
            parsing: "contains(Name,'7') and Price lt 500 and Addr/City ne 'Bern'")
        let condition = try ODataEvaluator(filter: expression)
        let entity: JSONValue = ["Name": "product 7", "Price": 12, "Addr": ["City": "Oslo"]]
        return { count in
            for _ in 0..<count {
                _ = try condition.matches(entity)
            }
        }
    }
}
