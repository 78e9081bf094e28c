import Foundation
import JSONText
import Testing

@testable import Benchmarking

struct ReportSchemaTests {
    @Test func `every written record has the documented columns`() throws {
        let samples = CellJudgeTests.samples()
        let table = try CSVTable(SamplesFile.header + SamplesFile.rows(samples, run: "r"))
        #expect(table.columns == SamplesFile.file.descriptions.map(\.name))
        let rows = CellJudge(PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: samples).rows()
        #expect(try CSVTable(SummaryFile.write(rows, run: "r")).columns == SummaryFile.file.descriptions.map(\.name))
        #expect(
            try CSVTable(ManifestFile.write(Self.manifest, run: "r")).columns
                == ManifestFile.file.descriptions.map(\.name))
    }

    /// The accepted reports of this package are written back byte for byte, as far as they have today's columns.
    @Test func `stored reports are written back byte for byte`() throws {
        let reports = URL(filePath: #filePath).appending(path: "../../../../Reports").standardized
        var compared = 0
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: reports, includingPropertiesForKeys: nil))
        {
            guard file.pathExtension == "csv" else { continue }
            let bytes = [UInt8](try Data(contentsOf: file))
            let written: [UInt8]
            switch file.lastPathComponent {
            case "summary.csv":
                let table = try CSVTable(bytes)
                guard table.columns == SummaryFile.file.descriptions.map(\.name) else { continue }
                written = SummaryFile.write(try SummaryFile.read(bytes), run: table.rows[0][1])
            case "manifest.csv":
                let table = try CSVTable(bytes)
                // A column that was added later is at the end, and empty for an older report.
                let added = ManifestFile.file.descriptions.count - table.columns.count
                #expect(
                    table.columns + ManifestFile.file.descriptions.suffix(added).map(\.name)
                        == ManifestFile.file.descriptions.map(\.name))
                let own = ManifestFile.write(try ManifestFile.read(bytes), run: table.rows[0][1])
                written = Self.withoutColumns(own, last: added)
            default: continue
            }
            #expect(Self.withoutSchema(written) == Self.withoutSchema(bytes), "\(file.path)")
            compared += 1
        }
        #expect(compared >= 6)
    }

    /// The lines of a file without their first column, the version of the schema.
    private static func withoutSchema(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 != "," } }
    }

    /// A file without its last columns, of which no row has a value.
    private static func withoutColumns(_ bytes: [UInt8], last count: Int) -> [UInt8] {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let left = lines.enumerated().map { index, line in
            index == 0
                ? line.split(separator: ",").dropLast(count).joined(separator: ",")
                : String(line.dropLast(count))
        }
        #expect(count == 0 || lines.dropFirst().allSatisfy { $0.hasSuffix(String(repeating: ",", count: count)) })
        return Array((left.joined(separator: "\n") + "\n").utf8)
    }

    @Test func `a sample is written as ever`() {
        var planted = PlantedSamples(.planted("w", ["entries": "10"]), order: [.plain, .cipher])
        planted.add(.plain, block: 3, slot: 1, .wall, 20_000_000, iterations: 10)
        planted.add(.marker, of: .cipher, block: 3, slot: 0, 0)
        planted.add(.failed, of: .cipher, block: 3, slot: 0, note: "disk, full")
        planted.add(.blockTime, of: .none, block: 3, 5)
        let rows = SamplesFile.rows(planted.samples, run: "r", outliers: [true, false, false, false])
        let expected = """
            1.4.0,r,1/1,w/entries=10,w,entries=10,plain,1,3,1,plain>cipher,first,0,10,wall,20000000,ns,d,1,
            1.4.0,r,1/1,w/entries=10,w,entries=10,cipher,1,3,0,plain>cipher,first,0,1,marker_found,0,count,,0,
            1.4.0,r,1/1,w/entries=10,w,entries=10,cipher,1,3,0,plain>cipher,first,0,,failed,,,,0,"disk, full"
            1.4.0,r,1/1,w/entries=10,w,entries=10,,1,3,0,plain>cipher,first,0,1,block_time,5,ns,,0,

            """
        #expect(String(decoding: rows, as: UTF8.self) == expected)
    }

    private static let manifest = ShardPlanTests.manifest([("a", 1.5), ("b", 2)])

    @Test func `every field is of its documented type`() throws {
        let samples = CellJudgeTests.samples()
        let rows = CellJudge(PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: samples).rows()
        try expectTypes(
            SamplesFile.header + SamplesFile.rows(samples, run: "r", outliers: SamplesFile.outliers(samples)),
            SamplesFile.file.descriptions)
        try expectTypes(SummaryFile.write(rows, run: "r"), SummaryFile.file.descriptions)
        try expectTypes(ManifestFile.write(Self.manifest, run: "r"), ManifestFile.file.descriptions)
    }

    private func expectTypes(_ bytes: [UInt8], _ columns: [ColumnDescription]) throws {
        for record in try CSVTable(bytes).rows {
            for (column, field) in zip(columns, record) where !field.isEmpty {
                switch column.type {
                case .integer: #expect(Int(field) != nil, "\(column.name)")
                case .number: #expect(Double(field) != nil, "\(column.name)")
                case .boolean: #expect(field == "0" || field == "1", "\(column.name)")
                case .string: break
                }
            }
        }
    }

    @Test func `the machine form names every column with its meaning`() throws {
        for (file, columns) in [
            ("samples.csv", SamplesFile.file.descriptions), ("summary.csv", SummaryFile.file.descriptions),
            ("claims.csv", ClaimsFile.file.descriptions),
            ("growth.csv", GrowthFile.file.descriptions), ("manifest.csv", ManifestFile.file.descriptions),
        ] {
            let fields = try #require(ReportSchema.json[file]?["fields"]?.array)
            #expect(fields.map { $0["name"]?.string } == columns.map(\.name), "\(file)")
            #expect(fields.allSatisfy { $0["description"]?.string?.isEmpty == false })
        }
    }
}
