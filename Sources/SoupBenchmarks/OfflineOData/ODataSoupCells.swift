import Benchmarking
import OData
import OfflineOData
import OfflineStore
import Soups
import Synchronization

/// What queries in OData cost over soups of 1 KB, against Smart SQL and against reading the same rows.
enum ODataSoupCells: CellSource {
    static let soup = "products"
    private static let indexes: [IndexSpec] = [
        .string("Name"), IndexSpec(path: "Code", type: .json1), .integer("Level"),
        IndexSpec(path: "Price", type: .json1),
    ]
    private static let backends = ["plain", "cipher"]
    private static let smart = "smart"
    private static let odata = "odata"
    private static let read = "read"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let entries = scope.profile.name == .smoke ? 2_000 : 100_000
        return equal(entries) + [
            exactCount(entries), supersetCount(entries), residual(entries, "contains", "contains(Note,'x13y')"),
            residual(entries, "lambda", "Tags/any(t:t eq 't3')"), firstSorted(entries), laterSorted(entries),
            alongIndex(entries), topAlongIndex(entries), planning(entries), expansion(entries),
        ]
    }

    /// A cell whose arms are ways of reading a filled soup, each a closure that returns the rows and the numbers of its
    /// answer.
    private static func cell(
        _ workload: String, _ parameters: KeyValuePairs<String, String>, _ entries: Int, revision: Int = 2,
        summary: String,
        comparisons: [(base: String, arm: String, sameAnswer: Bool)], claims: [Claim],
        ways: [String: @Sendable (SmartStore) throws -> [[UInt8]]], order: [String]
    ) -> Cell {
        Cell(
            workload, parameters, revision: revision, summary: summary,
            arms: backends.flatMap { backend in order.map { Arm(backend, $0) } },
            comparisons: backends.flatMap { backend in
                comparisons.map {
                    .init(Arm(backend, $0.base), Arm(backend, $0.arm), sameAnswer: $0.sameAnswer)
                }
            }, primary: .cpu, pairs: 6, profile: .full, claims: claims
        ) { arm, workplace in
            let folder = try filled(entries, arm, workplace)
            let store = try StorageArm.open(arm, in: folder)
            guard let way = ways[arm.way] else {
                throw Fault(.invalidArguments, "the arm has no way of working")
            }
            var answer: [[UInt8]] = []
            return StoreSubject(store, folder: folder, markers: [ProductRows.marker]) { store, _ in
                answer = try way(store)
                return entries
            } answer: { _, digest in
                digest.add(answer.count)
                for row in answer {
                    digest.add(entry: row)
                }
            }
        }
    }

    /// The folder of a store with products, for arms that only read.
    static func filled(
        _ entries: Int, _ arm: Arm, _ workplace: Workplace
    ) throws -> String {
        try StorageArm.filledFolder("odata-products-\(entries)", arm, workplace) { store in
            try store.registerSoup(soup, indexSpecs: indexes)
            try ProductRows(count: entries).fill { try store.upsertIds($0, into: soup) }
        }
    }

    private static func claims(
        _ id: String, _ statement: String, base: String, arm: String, atMost limit: Double
    ) -> [Claim] {
        backends.map { backend in
            Claim(
                id, statement, backend: backend,
                .ratio(base: Arm(backend, base), arm: Arm(backend, arm), atMost: limit))
        }
    }

    // MARK: - Work

    private static func query(_ text: String, in store: SmartStore, pages: Int = 1) throws -> ODataCursor {
        try store.query(odata: try SoupQuery(text, version: .v4), in: soup)
    }

    /// The rows of the first page.
    private static func page(_ text: String) -> @Sendable (SmartStore) throws -> [[UInt8]] {
        { try query(text, in: $0).page }
    }

    /// The rows of Smart SQL whose first column is the entry.
    private static func rows(
        _ condition: String, _ arguments: [SQLValue], orderedBy order: String = "{products:_soupEntryId}",
        limit: Int = 200
    ) -> @Sendable (SmartStore) throws -> [[UInt8]] {
        { store in
            try store.rows(
                "SELECT {products:_soup} FROM {products} WHERE \(condition) ORDER BY \(order)",
                arguments: arguments, limit: limit
            ).map { cells in
                guard case .entry(let bytes)? = cells.first else { return [] }
                return Array(bytes)
            }
        }
    }

    private static func number(_ value: Int64) -> [[UInt8]] { [Array(String(value).utf8)] }

    // MARK: - OFP-01

    private static func equal(_ entries: Int) -> [Cell] {
        let name = ProductRows(count: entries).name(3)
        let kinds: [(String, String, String, SQLValue, Double)] = [
            ("string", "Name eq '\(name)'", "{products:Name} = ?", .text(name), 1.2),
            ("json1", "Code eq 3", "{products:Code} = ?", .integer(3), 1.2),
            ("integer", "Level eq 3", "{products:Level} = ?", .integer(3), 1.5),
        ]
        return kinds.map { index, filter, condition, value, limit in
            cell(
                "odata-soup-equal", ["entries": String(entries), "index": index], entries,
                summary: "finds 200 of \(entries) entries of 1 KB by an index of type \(index)",
                comparisons: [(smart, odata, true)],
                claims: claims(
                    "OFP-01", "a page by an index costs \(limit) times the same Smart SQL", base: smart, arm: odata,
                    atMost: limit),
                ways: [smart: rows(condition, [value]), odata: page("$filter=" + filter)], order: [smart, odata])
        }
    }

    // MARK: - OFP-02

    private static func exactCount(_ entries: Int) -> Cell {
        cell(
            "odata-soup-count", ["entries": String(entries), "conditions": "exact"], entries,
            summary: "counts entries by a condition that the index decides",
            comparisons: [(smart, odata, true)],
            claims: claims(
                "OFP-02", "an exact count costs 1.2 times that of Smart SQL", base: smart, arm: odata, atMost: 1.2),
            ways: [
                smart: { store in
                    let cells = try store.rows(
                        "SELECT count(*) FROM {products} WHERE {products:Name} > ?", arguments: [.text("M")], limit: 1)
                    guard case .value(.integer(let count))? = cells.first?.first else { return [] }
                    return number(count)
                },
                odata: { number(try query("$filter=Name gt 'M'&$count=true&$top=0", in: $0).count ?? 0) },
            ], order: [smart, odata])
    }

    private static func supersetCount(_ entries: Int) -> Cell {
        cell(
            "odata-soup-count", ["entries": String(entries), "conditions": "superset"], entries,
            summary: "counts entries by a condition that the index narrows, against reading the candidates",
            comparisons: [(read, odata, false)],
            claims: claims(
                "OFP-02", "a count of candidates costs 1.5 times reading them", base: read, arm: odata, atMost: 1.5),
            ways: [
                read: rows("{products:Price} > ?", [.real(2.5)], limit: entries),
                odata: { number(try query("$filter=Price gt 2.5&$count=true&$top=0", in: $0).count ?? 0) },
            ], order: [read, odata])
    }

    // MARK: - OFP-03, OFP-08

    private static func residual(_ entries: Int, _ kind: String, _ filter: String) -> Cell {
        let scan = "scan"
        let extract = "json-extract"
        let condition =
            kind == "lambda"
            ? "instr(json_extract({products:_soup}, '$.Tags'), ?) > 0"
            : "instr(json_extract({products:_soup}, '$.Note'), ?) > 0"
        let part = kind == "lambda" ? "\"t3\"" : "x13y"
        return cell(
            "odata-soup-residual", ["entries": String(entries), "filter": kind], entries,
            summary: "looks at all \(entries) entries of 1 KB for a condition without an index: \(kind)",
            comparisons: [(scan, odata, false), (extract, odata, true)],
            claims: claims(
                "OFP-03", "a condition without an index costs three times a scan", base: scan, arm: odata, atMost: 3)
                + claims(
                    "OFP-08", "it costs less than json_extract", base: extract, arm: odata, atMost: 1),
            ways: [
                scan: { store in
                    let cursor = try store.query(.all(pageSize: 2_000), soup: soup)
                    var last: [[UInt8]] = []
                    while true {
                        last = cursor.currentPage.entries.last.map { [Array($0)] } ?? last
                        guard cursor.hasNextPage else { return last }
                        try cursor.moveToNextPage()
                    }
                }, extract: rows(condition, [.text(part)], limit: entries),
                odata: { store in
                    var cursor = try query("$filter=" + filter, in: store)
                    var rows = cursor.page
                    while try cursor.next() {
                        rows += cursor.page
                    }
                    return rows
                },
            ], order: [scan, extract, odata])
    }

    // MARK: - OFP-04

    private static func firstSorted(_ entries: Int) -> Cell {
        cell(
            "odata-soup-order", ["entries": String(entries), "page": "first"], entries,
            summary: "sorts \(entries) entries of 1 KB and gives the first page, against reading the entries",
            comparisons: [(read, odata, false)],
            claims: claims(
                "OFP-04", "the first page of a sorted query costs twice reading the entries", base: read, arm: odata,
                atMost: 2),
            ways: [
                read: { store in
                    var last: [[UInt8]] = []
                    for start in stride(from: 1, through: entries, by: 2_000) {
                        let ids = (start..<min(start + 2_000, entries + 1)).map { Int64($0) }
                        last = Array(try store.retrieve(ids: ids, from: soup).suffix(1))
                    }
                    return last
                }, odata: page("$orderby=Note"),
            ], order: [read, odata])
    }

    private static func alongIndex(_ entries: Int) -> Cell {
        let sort = "sort"
        return cell(
            "odata-soup-order", ["entries": String(entries), "page": "along-index"], entries,
            summary: "gives the first page in the order of an index, against a sort of \(entries) entries of 1 KB",
            comparisons: [(sort, odata, false)],
            claims: claims(
                "OFP-04", "the first page along an index costs a quarter of a sort", base: sort, arm: odata,
                atMost: 0.25),
            ways: [sort: page("$orderby=Note"), odata: page("$orderby=Name")], order: [sort, odata])
    }

    private static func topAlongIndex(_ entries: Int) -> Cell {
        let ordered = rows("1", [], orderedBy: "{products:Name}, {products:_soupEntryId}", limit: 50)
        return cell(
            "odata-soup-order", ["entries": String(entries), "page": "top"], entries,
            summary: "gives the first 50 of \(entries) entries in the order of an index, 20 times",
            comparisons: [(smart, odata, true)],
            claims: claims(
                "OFP-04", "the first rows along an index cost twice the same Smart SQL", base: smart, arm: odata,
                atMost: 2),
            ways: [
                smart: { store in
                    var found: [[UInt8]] = []
                    for _ in 0..<20 {
                        found = try ordered(store)
                    }
                    return found
                },
                odata: { store in
                    var found: [[UInt8]] = []
                    for _ in 0..<20 {
                        found = try page("$orderby=Name&$top=50")(store)
                    }
                    return found
                },
            ], order: [smart, odata])
    }

    private static func laterSorted(_ entries: Int) -> Cell {
        Cell(
            "odata-soup-order", ["entries": String(entries), "page": "later"], revision: 2,
            summary: "gives all later pages of a sorted query, against retrieving their ids",
            arms: backends.flatMap { [Arm($0, read), Arm($0, odata)] },
            comparisons: backends.map { .init(Arm($0, read), Arm($0, odata), sameAnswer: true) }, style: .once,
            primary: .cpu, pairs: 6, profile: .full,
            claims: claims(
                "OFP-04", "a later page costs 1.3 times retrieving its ids", base: read, arm: odata, atMost: 1.3)
        ) { arm, workplace in
            let folder = try filled(entries, arm, workplace)
            let store = try StorageArm.open(arm, in: folder)
            var ids: [[Int64]] = []
            var pages = try query("$orderby=Note", in: store)
            while try pages.next() {
                ids.append(try pages.page.map { try JSONValue(parsing: $0)["_soupEntryId"]?.int64 ?? 0 })
            }
            var cursor = try query("$orderby=Note", in: store)
            let lists = ids
            var digests: [Int] = []
            let isOData = arm.way == odata
            return StoreSubject(store, folder: folder, markers: [ProductRows.marker]) { store, _ in
                digests = []
                if isOData {
                    while try cursor.next() {
                        digests.append(cursor.page.reduce(0) { $0 + $1.count })
                    }
                } else {
                    for list in lists {
                        digests.append(try store.retrieve(ids: list, from: soup).reduce(0) { $0 + $1.count })
                    }
                }
                return digests.count
            } answer: { _, digest in
                for count in digests {
                    digest.add(count)
                }
            }
        }
    }

    // MARK: - OFP-10

    private static func planning(_ entries: Int) -> Cell {
        let (plan, kept) = ("plan", "kept")
        let name = ProductRows(count: entries).name(3)
        let filter = (0..<9).map { $0 % 2 == 0 ? "Name ne 'a\($0)'" : "Code ne \(1_000_000 + $0)" }
        let text = "$filter=Name eq '\(name)' and " + filter.dropFirst().joined(separator: " and ")
        let keptQuery = Result { try SoupQuery(text, version: .v4) }
        // A text that was asked for lately is not parsed again.
        let numbers = NewNumbers()
        return cell(
            "odata-soup-plan", ["entries": String(entries), "conjuncts": "10"], entries, revision: 4,
            summary: """
                parses and plans a filter of 10 conditions, and plans one that was kept, against the page of 200 that one \
                of them finds
                """,
            comparisons: [(odata, plan, false), (odata, kept, false)],
            claims: claims(
                "OFP-10", "parsing and planning 10 conditions costs a twentieth of a page", base: odata, arm: plan,
                atMost: 0.05)
                + claims(
                    "OFP-10", "planning a query that was kept costs a twentieth of a page", base: odata, arm: kept,
                    atMost: 0.05),
            ways: [
                odata: { store in
                    for _ in 0..<19 {
                        _ = try query("$filter=Name eq '\(name)'", in: store)
                    }
                    return try query("$filter=Name eq '\(name)'", in: store).page
                },
                plan: { store in
                    for _ in 0..<20 {
                        let newText = "\(text) and Code ne \(numbers.next())"
                        _ = try store.planned(odata: try SoupQuery(newText, version: .v4), in: soup)
                    }
                    return []
                },
                kept: { store in
                    for _ in 0..<20 {
                        _ = try store.planned(odata: try keptQuery.get(), in: soup)
                    }
                    return []
                },
            ], order: [odata, plan, kept])
    }

    // MARK: - OFP-11

    private static func expansion(_ entries: Int) -> Cell {
        let relation = SoupRelation("Children", soup: soup, local: ["Name"], foreign: ["Parent"], isCollection: true)
        return Cell(
            "odata-soup-expand", ["parents": "200", "children": "10"], revision: 2,
            summary: "expands 200 entries by 10 children each, against reading the same rows by their ids",
            arms: backends.flatMap { [Arm($0, read), Arm($0, odata)] },
            comparisons: backends.map { .init(Arm($0, read), Arm($0, odata), sameAnswer: false) }, primary: .cpu,
            pairs: 6, profile: .full,
            claims: claims(
                "OFP-11", "expanding costs twice reading the rows by their ids", base: read, arm: odata, atMost: 2)
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            try store.registerSoup(soup, indexSpecs: [.string("Name"), .string("Parent"), .integer("Kind")])
            let parents = (0..<200).map { "{\"Kind\":1,\"Name\":\"p\($0)\"," + filler($0) + "}" }
            let children = (0..<2_000).map { "{\"Kind\":2,\"Parent\":\"p\($0 % 200)\"," + filler($0) + "}" }
            try store.upsert((parents + children).map { Array($0.utf8) }, into: soup)
            let isOData = arm.way == odata
            var count = 0
            return StoreSubject(store, folder: workplace.folder, markers: [ProductRows.marker]) { store, _ in
                if isOData {
                    count = try store.query(
                        odata: try SoupQuery("$filter=Kind eq 1&$expand=Children", version: .v4), in: soup,
                        relations: [relation]
                    ).page.count
                } else {
                    let first = try store.retrieve(ids: (1...200).map { Int64($0) }, from: soup).count
                    count = first + (try store.retrieve(ids: (201...2_200).map { Int64($0) }, from: soup).count)
                }
                return 200
            } answer: { _, digest in
                digest.add(count)
            }
        }
    }

    private static func filler(_ number: Int) -> String {
        let fields = (0..<14).map {
            #""Field\#($0)":"product-bench-marker \#(1_000_000 + number) and more text \#($0)""#
        }
        return fields.joined(separator: ",")
    }
}

/// Numbers of which each is given once.
private final class NewNumbers: Sendable {
    private let last = Atomic(1_000_000)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
