import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Cells that work on so many records that a block takes several seconds.
struct LongCellTests {
    private func blocks(_ id: String, _ name: Profile.Name) throws -> Int {
        let profile = Profile(name)
        let cell = try #require(SoupCells().cells(CellScope(profile: Profile(.full))).first { $0.id == id })
        return PlannedCell(cell, profile: profile).blocks
    }

    @Test func `the full profile measures few pairs of a cell of a million records`() throws {
        #expect(try blocks("sync-up-memory/records=1000000", .full) == 6)
        #expect(try blocks("sync-up-memory/records=1000000", .quick) == 6)
    }

    @Test func `the full profile measures many pairs of every other cell`() throws {
        #expect(try blocks("upsert-string/entries=1000", .full) == 20)
    }

    /// The pairs of `upsert-string/entries=1000` where a stored report says what a block of it takes.
    private func blocks(ofSeconds seconds: Double, _ name: Profile.Name) throws -> Int {
        let id = "upsert-string/entries=1000"
        let profile = Profile(name)
        let cell = try #require(SoupCells().cells(CellScope(profile: profile)).first { $0.id == id })
        let costs = ShardPlanTests.costs([(id, seconds)])
        return PlannedCell(cell, profile: profile).limited(by: costs, profile: profile).blocks
    }

    @Test func `the full profile measures a cell for half a minute, and at least as often as an interval needs`() throws
    {
        #expect(try blocks(ofSeconds: 1.5, .full) == 20)
        #expect(try blocks(ofSeconds: 1.6, .full) == 18)
        #expect(try blocks(ofSeconds: 4, .full) == 7)
        #expect(try blocks(ofSeconds: 60, .full) == 6)
    }

    @Test func `the quick profile measures long cells as often as others`() throws {
        #expect(try blocks(ofSeconds: 60, .quick) == 10)
    }

    @Test func `a cell that no report knows and the control keep their pairs`() throws {
        let profile = Profile(.full)
        let costs = ShardPlanTests.costs([("other", 60), (Control.workload, 60)])
        let cells = SoupCells().cells(CellScope(profile: profile)).map { PlannedCell($0, profile: profile) }
        #expect(cells.allSatisfy { $0.limited(by: costs, profile: profile).blocks == $0.blocks })
    }

    @Test func `cells of a million records are very long, and those of 100,000 are long`() {
        let cells = SoupCells().cells(CellScope(profile: Profile(.full)))
        func ids(_ isChosen: (Cell) -> Bool) -> Set<String> { Set(cells.filter(isChosen).map(\.id)) }
        #expect(ids(\.isVeryLong).contains("sync-down-memory/records=1000000"))
        #expect(!ids(\.isVeryLong).contains("sync-down/records=100000;soup=full"))
        #expect(ids(\.isLong).isStrictSuperset(of: ids(\.isVeryLong)))
    }

    @Test func `a long cell has as many pairs as an interval needs`() {
        #expect(Profile(.full).firstLook(1, isLong: true) == 6)
        #expect(Profile(.smoke).firstLook(6, isLong: true) == 1)
    }
}
