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

    @Test func `a long cell has as many pairs as an interval needs`() {
        #expect(Profile(.full).firstLook(1, isLong: true) == 6)
        #expect(Profile(.smoke).firstLook(6, isLong: true) == 1)
    }
}
