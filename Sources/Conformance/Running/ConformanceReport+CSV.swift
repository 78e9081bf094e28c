import CSVText

/// Reports as files.
extension ConformanceReport {
    private static let header = ["id", "area", "backend", "status", "code", "detail", "ms"]

    /// The text of `conformance.csv`: a row per case and back end. Times are milliseconds.
    public var csv: String {
        var text = CSVText.record(Self.header)
        for result in results {
            text += CSVText.record([
                result.id, result.area, result.backEnd, result.status.rawValue, result.code, result.detail,
                Self.decimal(result.milliseconds),
            ])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The text of a file with these rows.
    public static func table(_ header: [String], _ rows: [[String]]) -> String {
        String(decoding: ([header] + rows).flatMap { CSVText.record($0) }, as: UTF8.self)
    }

    /// The rows of a CSV file. Throws `VectorProblem` with the row if the text is malformed.
    static func rows(csv: [UInt8], file: String) throws(VectorProblem) -> [[String]] {
        do { return try CSVText.records(csv) } catch {
            throw VectorProblem(file: file, key: "row \(error.record)", message: error.message)
        }
    }

    /// Reads a stored `conformance.csv`. Throws `VectorProblem` for anything else, with the row.
    public init(csv: [UInt8], file: String) throws(VectorProblem) {
        let rows = try Self.rows(csv: csv, file: file)
        guard rows.first == Self.header else {
            throw VectorProblem(file: file, key: "row 1", message: "must be " + Self.header.joined(separator: ","))
        }
        var results: [CaseResult] = []
        for (index, row) in rows.enumerated().dropFirst() {
            guard row.count == Self.header.count, let status = CaseStatus(rawValue: row[3]) else {
                throw VectorProblem(file: file, key: "row \(index + 1)", message: "must be a result of soup conform")
            }
            results.append(
                CaseResult(
                    id: row[0], area: row[1], backEnd: row[2], status: status, code: row[4], detail: row[5],
                    milliseconds: Double(row[6]) ?? 0))
        }
        self.init(results)
    }
}
