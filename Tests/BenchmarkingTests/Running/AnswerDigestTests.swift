import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// The digests of cells that only count their answers while they are measured: other ids, or another order, are another
/// answer.
struct AnswerDigestTests {
    private static let entries = 1_000

    /// A cell's way of working, and two entries of its answer.
    struct Way: Sendable, CustomTestStringConvertible {
        let cell: String
        let arm: Arm
        /// The statement that gives the ids of two entries of the answer.
        var pair = "SELECT id FROM TABLE_1 ORDER BY TABLE_1_0 LIMIT 2"
        /// The column that decides the order.
        var order: String? = "TABLE_1_0"
        var testDescription: String { "\(cell) \(arm)" }
    }

    static let ways: [Way] =
        ["by-key", "by-offset"].map { Way(cell: "all-pages/entries=1000;keys=distinct", arm: Arm("plain", $0)) }
        + ["size-1", "size-100"].map { Way(cell: "page-size/entries=1000", arm: Arm("plain", $0)) }
        + ["index", "no-index"].map {
            Way(
                cell: "by-date/entries=1000", arm: Arm("plain", $0),
                pair: "SELECT id FROM TABLE_1 ORDER BY lastModified DESC, id DESC LIMIT 2", order: nil)
        }
        + ["rows", "entries"].map { Way(cell: "select-paths/entries=1000", arm: Arm("plain", $0)) }
        + ["text", "objects"].map { Way(cell: "text-or-objects/entries=1000", arm: Arm("plain", $0)) }
        + [
            Way(
                cell: "kinds/entries=1000", arm: "plain/match",
                pair: "SELECT rowid FROM TABLE_1_fts WHERE TABLE_1_fts MATCH 'zyzzyva' LIMIT 2", order: nil)
        ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Prepares the cell's arm, does its work once, and digests its answer.
    private func digest(_ way: Way, block: String) throws -> String {
        let cells = SoupCells().cells(CellScope(profile: Profile(.quick), sizes: [Self.entries]))
        let cell = try #require(cells.first { $0.id == way.cell })
        let files = folder.file(block)
        try Folders.make(files)
        let subject = try cell.prepare(
            way.arm, Workplace(arm: way.arm, folder: files, templates: folder.file("templates"), seed: 1))
        _ = try subject.run(Stopwatch())
        var digest = ContentDigest()
        try subject.digest(into: &digest)
        try subject.close()
        return digest.hex
    }

    /// Changes the filled store from which every block starts.
    private func change(_ body: (Connection) throws -> Void) throws {
        let templates = folder.file("templates")
        let name = try #require(Folders.names(in: templates).first)
        let connection = try Connection(
            path: StorageArm.file(in: templates + "/" + name), library: SQLiteLibrary.find(.plain),
            access: .readWrite, key: nil, settings: ConnectionSettings())
        defer { connection.close() }
        try body(connection)
    }

    private func ids(_ way: Way, _ connection: Connection) throws -> (Int64, Int64) {
        let statement = try connection.statement(way.pair)
        defer { statement.reset() }
        var ids: [Int64] = []
        while try statement.step() {
            ids.append(statement.integer(at: 0))
        }
        try #require(ids.count == 2)
        return (ids[0], ids[1])
    }

    @Test(arguments: ways) func `two ids that are swapped are another answer`(_ way: Way) throws {
        let before = try digest(way, block: "a")
        #expect(try digest(way, block: "b") == before)
        try change { connection in
            let (one, other) = try ids(way, connection)
            let name = #""_soupEntryId":"#
            for (from, to) in [(one, -1), (other, one), (-1, other)] as [(Int64, Int64)] {
                try connection.execute(
                    "UPDATE TABLE_1 SET id = \(to), soup = replace(soup, '\(name)\(from)', '\(name)\(to)') WHERE id = \(from)"
                )
            }
        }
        #expect(try digest(way, block: "c") != before)
    }

    @Test(arguments: ways.filter { $0.order != nil }) func `another order is another answer`(_ way: Way) throws {
        let before = try digest(way, block: "a")
        let column = try #require(way.order)
        try change { connection in
            let (one, other) = try ids(way, connection)
            try connection.execute(
                """
                UPDATE TABLE_1 SET \(column) = CASE id
                WHEN \(one) THEN (SELECT \(column) FROM TABLE_1 WHERE id = \(other))
                ELSE (SELECT \(column) FROM TABLE_1 WHERE id = \(one)) END WHERE id IN (\(one), \(other))
                """)
        }
        #expect(try digest(way, block: "b") != before)
    }

    @Test func `two ids that are swapped in a feed are another answer for both readers`() throws {
        for isRegular in [true, false] {
            let feed = String(decoding: FeedCorpus(isRegular: isRegular, bytes: 50_000, seed: 1).json(), as: UTF8.self)
            let names = [#""OrderID":3,"#, #""OrderID":5,"#]
            for name in names where isRegular {
                #expect(feed.contains(name))
            }
            let swapped = feed.replacing(names[0], with: "@@").replacing(names[1], with: names[0]).replacing(
                "@@", with: names[1])
            func digest(_ text: String, _ arm: Arm) throws -> String {
                var digest = ContentDigest()
                try ODataPayloadCells.feedOrders(in: Array(text.utf8), arm, &digest)
                return digest.hex
            }
            #expect(try digest(feed, ODataPayloadCells.entries) == digest(feed, ODataPayloadCells.decoder))
            if isRegular {
                for arm in [ODataPayloadCells.entries, ODataPayloadCells.decoder] {
                    #expect(try digest(feed, arm) != digest(swapped, arm))
                }
            }
        }
    }
}
