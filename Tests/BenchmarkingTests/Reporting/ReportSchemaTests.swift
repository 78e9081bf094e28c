import JSONText
import Testing

@testable import Benchmarking

struct ReportSchemaTests {
    @Test func everyWrittenRecordHasTheDocumentedColumns() throws {
        let samples = CellJudgeTests.samples()
        let table = try CSVTable(SamplesFile.header + SamplesFile.rows(samples, run: "r"))
        #expect(table.columns == ReportSchema.samples.map(\.name))
        let rows = CellJudge(PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: samples).rows()
        #expect(try CSVTable(SummaryFile.write(rows, run: "r")).columns == ReportSchema.summary.map(\.name))
        #expect(try CSVTable(ManifestFile.write(Self.manifest, run: "r")).columns == ReportSchema.manifest.map(\.name))
    }

    private static let manifest = ShardPlanTests.manifest([("a", 1.5), ("b", 2)])

    @Test func everyFieldIsOfItsDocumentedType() throws {
        let samples = CellJudgeTests.samples()
        let rows = CellJudge(PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: samples).rows()
        try expectTypes(
            SamplesFile.header + SamplesFile.rows(samples, run: "r", outliers: SamplesFile.outliers(samples)),
            ReportSchema.samples)
        try expectTypes(SummaryFile.write(rows, run: "r"), ReportSchema.summary)
        try expectTypes(ManifestFile.write(Self.manifest, run: "r"), ReportSchema.manifest)
    }

    private func expectTypes(_ bytes: [UInt8], _ columns: [ReportSchema.Column]) throws {
        for record in try CSVTable(bytes).rows {
            for (column, field) in zip(columns, record) where !field.isEmpty {
                switch column.type {
                case "integer": #expect(Int(field) != nil, "\(column.name)")
                case "number": #expect(Double(field) != nil, "\(column.name)")
                case "boolean": #expect(field == "0" || field == "1", "\(column.name)")
                default: #expect(column.type == "string")
                }
            }
        }
    }

    @Test func theMachineFormNamesEveryColumnWithItsMeaning() throws {
        for (file, columns) in [
            ("samples.csv", ReportSchema.samples), ("summary.csv", ReportSchema.summary),
            ("claims.csv", ReportSchema.claims),
            ("growth.csv", ReportSchema.growth), ("manifest.csv", ReportSchema.manifest),
        ] {
            let fields = try #require(ReportSchema.json[file]?["fields"]?.array)
            #expect(fields.map { $0["name"]?.string } == columns.map(\.name), "\(file)")
            #expect(fields.allSatisfy { $0["description"]?.string?.isEmpty == false })
        }
    }
}
