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
    }

    @Test func everyFieldIsOfItsDocumentedType() throws {
        let samples = CellJudgeTests.samples()
        let rows = CellJudge(PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: samples).rows()
        try expectTypes(SamplesFile.header + SamplesFile.rows(samples, run: "r", outliers: SamplesFile.outliers(samples)), ReportSchema.samples)
        try expectTypes(SummaryFile.write(rows, run: "r"), ReportSchema.summary)
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
        let fields = try #require(ReportSchema.json["samples.csv"]?["fields"]?.array)
        #expect(fields.count == ReportSchema.samples.count)
        #expect(fields.allSatisfy { $0["description"]?.string?.isEmpty == false })
    }
}
