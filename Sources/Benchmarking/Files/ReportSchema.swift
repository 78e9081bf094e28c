package import JSONText

/// Lists the report files with all their columns: for people in the documentation, for programs as a table schema in
/// JSON. Each file defines its own columns.
package enum ReportSchema {
    /// In the order of the documentation. `comparison` is what `soup check` and `soup compare` print as CSV.
    package static let files: [(name: String, columns: [ColumnDescription])] = [
        ("samples.csv", SamplesFile.file.descriptions), ("summary.csv", SummaryFile.file.descriptions),
        ("claims.csv", ClaimsFile.file.descriptions), ("growth.csv", GrowthFile.file.descriptions),
        ("manifest.csv", ManifestFile.file.descriptions), ("comparison", ComparisonFile.file.descriptions),
    ]

    /// All files as table schemas (https://specs.frictionlessdata.io/table-schema/).
    package static var json: JSONValue {
        let tables = files.map { file -> (String, JSONValue) in
            let fields = file.columns.map { column -> JSONValue in
                [
                    "name": .string(column.name), "type": .string(column.type.rawValue),
                    "description": .string(column.meaning),
                ]
            }
            return (file.name, ["fields": .array(fields)])
        }
        return .object(JSONObject([("version", .string(SchemaVersion.current))] + tables))
    }
}
