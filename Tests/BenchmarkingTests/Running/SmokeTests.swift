import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Every cell of the catalogue, once, at a small size. The cells are in two suites, so that two processors share them.
/// In each they run one after the other, so that few stores are open at a time.
@Suite(.serialized)
struct FirstSmokeTests {
    @Test(arguments: SmokeTests.half(0))
    func `every cell runs and its arms agree`(id: String) async throws { try await SmokeTests.run(id) }
}

@Suite(.serialized)
struct SecondSmokeTests {
    @Test(arguments: SmokeTests.half(1))
    func `every other cell runs and its arms agree`(id: String) async throws { try await SmokeTests.run(id) }
}

struct SmokeTests {
    static let scope = CellScope(profile: Profile(.smoke))
    static let cells = SoupCells().cells(scope)
    static let hasCipher = (try? SQLiteLibrary.find(.cipher)) != nil

    /// The ids of every second cell.
    static func half(_ first: Int) -> [String] {
        stride(from: first, to: cells.count, by: 2).map { cells[$0].id }
    }

    static func run(_ id: String) async throws {
        let folder = try TemporaryFolder()
        let cell = try #require(cells.first { $0.id == id })
        let planned = PlannedCell(cell, profile: Profile(.smoke))
        // Cells of syncs wait for tasks, which need the threads that tests run on.
        let samples = try await OwnThread { try SmokeRun.samples(planned, dataFolder: folder.path) }.value()
        #expect(!samples.isEmpty)
        for sample in samples where sample.remark == .failed || (sample.remark == .unsupported && hasCipher) {
            Issue.record("\(sample.arm): \(sample.metric): \(sample.note)")
        }
        for row in CellJudge(planned, samples: samples).rows() {
            #expect(row.verdict != .invalid, "\(row.key): \(row.reason)")
        }
    }

    @Test func `both halves have all cells`() {
        #expect(Set((Self.half(0) + Self.half(1)).map { ByteKey($0) }).count == Self.cells.count)
    }

    @Test func `ids are unique and plain`() {
        #expect(Set(Self.cells.map { ByteKey($0.id) }).count == Self.cells.count)
        for cell in Self.cells {
            #expect(
                cell.workload.utf8.allSatisfy {
                    ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D
                }, "\(cell.workload)")
            #expect(cell.version.utf8.count == 12 && !cell.summary.isEmpty)
            for comparison in cell.comparisons {
                #expect(cell.arms.contains(comparison.base) && cell.arms.contains(comparison.arm), "\(cell.id)")
            }
        }
    }

    @Test func `the null and the control row are in every run`() {
        #expect(Self.cells.contains { $0.workload == Control.workload })
        #expect(Self.cells.contains { $0.comparisons.contains { $0.arm == .plainAgain } })
        let filtered = PlannedCell.filter(Self.cells.map { PlannedCell($0, profile: Profile(.smoke)) }, ["retrieve"])
        #expect(
            filtered.contains { $0.cell.workload == Control.workload }
                && filtered.contains { $0.cell.workload == "retrieve" })
        #expect(!filtered.contains { $0.cell.workload == "delete" })
    }

    @Test func `cells that are left out add none that the profile leaves out`() {
        let all = Self.cells.map { PlannedCell($0, profile: Profile(.quick)) }
        let quick = PlannedCell.ofProfile(.quick, all)
        let rest = PlannedCell.without(["^store-over-floor/", "instructions"], quick)
        #expect(rest.contains { $0.cell.workload == Control.workload } && rest.count < quick.count)
        #expect(!rest.contains { ["store-over-floor", "instructions"].contains($0.cell.workload) })
        #expect(rest.allSatisfy { left in quick.contains { $0.cell.id == left.cell.id } })
        #expect(PlannedCell.without([], quick).count == quick.count)
        #expect(PlannedCell.without(["control"], quick).contains { $0.cell.workload == Control.workload })
    }
}

struct RotationTests {
    @Test(arguments: 1...6)
    func `every arm is in every position equally often and blocks mirror`(count: Int) {
        let arms = (0..<count).map { Arm("a\($0)") }
        var places = [[Int]](repeating: [Int](repeating: 0, count: count), count: count)
        for block in 0..<2 * count {
            for (index, arm) in Rotation.order(of: arms, block: block).enumerated() {
                places[arms.firstIndex(of: arm) ?? 0][index] += 1
            }
        }
        #expect(places.allSatisfy { $0.allSatisfy { $0 == 2 } })
        #expect(Rotation.order(of: arms, block: 1) == Rotation.order(of: arms, block: 0).reversed())
    }
}

struct EvidenceTests {
    @Test func `a marker is found across pieces and in any file`() throws {
        let folder = try TemporaryFolder()
        let marker = Array("needle-in-pages".utf8)
        let evidence = Evidence(folder: folder.path, markers: [marker])
        #expect(throws: Fault.self) { try evidence.isMarkerFound() }
        // Across the boundary of two chunks of one MiB, at every offset of the marker.
        for cut in 1..<marker.count {
            var bytes = [UInt8](repeating: 0x2E, count: 1_100_000)
            bytes.replaceSubrange((1 << 20) - cut..<(1 << 20) - cut + marker.count, with: marker)
            #expect(TestFile.write(bytes, to: folder.file("a.db")))
            #expect(try evidence.isMarkerFound())
        }
        #expect(TestFile.write(Array("needle-in-page".utf8), to: folder.file("a.db")))
        #expect(try !evidence.isMarkerFound())
        #expect(TestFile.write(Array("xneedle-in-pages".utf8), to: folder.file("a.db-wal")))
        #expect(try evidence.isMarkerFound())
    }
}
