/// One row of `requirements.csv`: what is required, and which vectors and tests cover it.
public struct Requirement: Sendable, Hashable {
    public let id: String
    public let section: String
    public let text: String
    public let level: ConformanceLevel
    /// The ids of vectors, and the names of tests, which begin with a capital letter.
    public let covers: [String]
    /// Why a requirement does not apply, or needs no positive or no negative vector; empty if there is no reason.
    public let reason: String

    /// The ids of the vectors among `covers`.
    public var vectors: [String] { covers.filter { $0.first?.isUppercase == false } }

    static let header = ["id", "section", "requirement", "level", "covered by", "reason"]

    /// Reads the table. Throws `VectorProblem` with the row for anything that is not one.
    public static func table(csv: [UInt8], file: String) throws(VectorProblem) -> [Requirement] {
        let rows = try ConformanceReport.rows(csv: csv, file: file)
        guard rows.first == header else {
            throw VectorProblem(file: file, key: "row 1", message: "must be " + header.joined(separator: ","))
        }
        var table: [Requirement] = []
        for (index, row) in rows.enumerated().dropFirst() {
            guard row.count == header.count, let level = ConformanceLevel(rawValue: row[3]) else {
                throw VectorProblem(
                    file: file, key: "row \(index + 1)", message: "must have \(header.count) fields and a known level")
            }
            table.append(
                Requirement(
                    id: row[0], section: row[1], text: row[2], level: level,
                    covers: row[4].split(separator: " ").map(String.init), reason: row[5]))
        }
        return table
    }
}
