import Conformance
import FoundationEssentials
import TestSupport
import Testing

@Suite struct RequirementsTests {
    /// Each row of the table: what is required, and the ids of what covers it.
    private static func rows() throws -> [(id: String, covers: [String])] {
        let text = String(
            decoding: try Data(contentsOf: URL(filePath: Corpora.folder + "/requirements.csv")), as: UTF8.self)
        return text.split(separator: "\n").dropFirst().map { line in
            let covers =
                line.contains("not applicable: ")
                ? [] : line.split(separator: ",").last?.split(separator: " ").map(String.init) ?? []
            return (String(line.prefix { $0 != "," }), covers)
        }
    }

    @Test func everyVectorNamedAsCoverExists() throws {
        let ids = Set(try Corpora.all().flatMap(\.cases).map(\.id))
        let rows = try Self.rows()
        #expect(rows.count >= 150)
        for row in rows {
            // Names of Swift tests begin with a capital letter.
            for id in row.covers where id.first?.isLowercase == true {
                #expect(ids.contains(id), "\(row.id): \(id)")
            }
        }
    }

    @Test func everyRequirementIsThereOnceAndHasItsCoverOrReason() throws {
        let text = String(
            decoding: try Data(contentsOf: URL(filePath: Corpora.folder + "/requirements.csv")), as: UTF8.self)
        #expect(text.split(separator: "\n").allSatisfy { !$0.hasSuffix(",") })
        let ids = try Self.rows().map(\.id)
        #expect(Set(ids).count == ids.count)
    }
}
