import OData
import OfflineStore
import Soups

/// Finds the rows of `$search` by the full-text index: each term and phrase as the store's match queries find it, and
/// operators as operations on sets of ids.
struct RowSearch {
    let snapshot: StoreSnapshot
    let soup: String

    /// The ids of the rows that the search of a query finds, in their order; nil if the query has none.
    static func ids(of run: SoupQueryRun, in snapshot: StoreSnapshot) throws(Fault) -> [Int64]? {
        guard let search = run.query.query.options.search else { return nil }
        return try RowSearch(snapshot: snapshot, soup: run.soup).ids(of: search)
    }

    /// The ids of the rows that a search finds, in their order.
    ///
    /// - Throws: `pathNotIndexed` if the soup has no full-text index.
    func ids(of search: SearchExpression) throws(Fault) -> [Int64] {
        guard try !snapshot.soup(soup).fullTextSpecs.isEmpty else {
            throw Fault(.pathNotIndexed, "$search needs a full-text index on the soup", context: [.soup(soup)])
        }
        // Children come before their parents, and each has one.
        var found: [[Int64]] = []
        func take(_ index: Int) -> [Int64] {
            let ids = found[index]
            found[index] = []
            return ids
        }
        for node in search.nodes {
            switch node {
            case .term(let text), .phrase(let text): found.append(try ids(ofPhrase: text))
            case .and(let left, let right): found.append(Self.intersection(take(left), take(right)))
            case .or(let left, let right): found.append(Self.union(take(left), take(right)))
            case .not(let operand): found.append(Self.difference(try allIds(), take(operand)))
            }
        }
        return found.last ?? []
    }

    /// Nothing in the text is syntax of a match expression.
    private func ids(ofPhrase text: String) throws(Fault) -> [Int64] {
        var phrase = "\""
        for scalar in text.unicodeScalars {
            phrase.unicodeScalars.append(scalar == "\0" ? " " : scalar)
            if scalar == "\"" {
                phrase.append("\"")
            }
        }
        phrase.append("\"")
        guard text.utf8.contains(where: { $0 > 0x20 }) else {
            return []
        }
        return try snapshot.ids(matching: .match(matchKey: phrase), in: soup).sorted()
    }

    private func allIds() throws(Fault) -> [Int64] {
        try snapshot.ids(matching: .all(), in: soup).sorted()
    }

    // MARK: - Sorted sets

    private static func intersection(_ a: [Int64], _ b: [Int64]) -> [Int64] {
        merged(a, b) { inA, inB in inA && inB }
    }

    private static func union(_ a: [Int64], _ b: [Int64]) -> [Int64] { merged(a, b) { _, _ in true } }

    private static func difference(_ a: [Int64], _ b: [Int64]) -> [Int64] { merged(a, b) { inA, inB in inA && !inB } }

    private static func merged(_ a: [Int64], _ b: [Int64], _ keeps: (Bool, Bool) -> Bool) -> [Int64] {
        var result: [Int64] = []
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            let inA = i < a.count && (j == b.count || a[i] <= b[j])
            let inB = j < b.count && (i == a.count || b[j] <= a[i])
            if keeps(inA, inB) {
                result.append(inA ? a[i] : b[j])
            }
            i += inA ? 1 : 0
            j += inB ? 1 : 0
        }
        return result
    }
}
