import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups
import StepCounting
import TestSupport
import Testing

/// How the work of a query over a soup grows with its filter and with the rows.
@Suite struct QueryGrowthTests {
    /// A part of a query, or of a row, of a size.
    struct Construct: Sendable, CustomTestStringConvertible {
        let name: String
        let query: @Sendable (Int) -> String
        /// The members of each row.
        var row: @Sendable (Int) -> String = { _ in "\"A\":\"x\",\"B\":5" }

        var testDescription: String { name }
    }

    private static func chain(_ count: Int, _ word: String, _ part: (Int) -> String) -> String {
        "$filter=" + (0..<count).map(part).joined(separator: " \(word) ")
    }

    static let constructs = [
        Construct(name: "or") { chain($0, "or") { "A eq 'v\($0)'" } },
        Construct(name: "and") { chain($0, "and") { "A ne 'v\($0)'" } },
        Construct(name: "not") { "$filter=not (" + (0..<$0).map { "B gt \($0)" }.joined(separator: " or ") + ")" },
        Construct(name: "in") { "$filter=A in (" + (0..<$0).map { "'v\($0)'" }.joined(separator: ",") + ")" },
        Construct(name: "evaluated") { chain($0, "and") { "length(N) ne \($0)" } },
        Construct(name: "long literal") { "$filter=contains(A,'" + String(repeating: "v", count: $0 * 16) + "')" },
        Construct(name: "orderby") { "$orderby=" + (0..<$0 / 8).map { "concat(A,'\($0)')" }.joined(separator: ",") },
        Construct(name: "long row", query: { _ in "$filter=N eq 'x' and X ne 'y'" }) { count in
            (0..<count).map { "\"M\($0)\":\($0)" }.joined(separator: ",")
        },
        Construct(name: "long array", query: { _ in "$filter=L/any(l:l eq 0)" }) { count in
            "\"L\":[" + (1...count).map { "\($0)" }.joined(separator: ",") + "]"
        },
    ]

    @Test(.enabled(if: StepCounter.isCounting), arguments: constructs)
    func `steps of a query grow with its size`(construct: Construct) throws {
        let steps = try [150, 300, 600].map { size in
            let folder = try TemporaryFolder()
            let options = StoreOptions(library: try BackEnd.plain.library())
            let store = try SmartStore(path: folder.file("growth.db"), options: options)
            defer { try? store.close() }
            try store.registerSoup("S", indexSpecs: [.string("A"), IndexSpec(path: "B", type: .json1)])
            try store.upsert((0..<4).map { _ in Array("{\(construct.row(size))}".utf8) }, into: "S")
            let text = construct.query(size)
            return try #require(
                try StepCounter.steps {
                    _ = try store.query(odata: try SoupQuery(text, version: .v401), in: "S")
                })
        }
        #expect(steps[0] > 100)
        // Both doublings must be steep, because a table that grows makes one steep.
        let isSteep = zip(steps, steps.dropFirst()).allSatisfy { Double($1) > Double($0) * 2.6 }
        #expect(!isSteep, "\(construct.name): \(steps) steps")
    }
}
