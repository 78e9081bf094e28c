import Conformance
import Foundation
import TestSupport
import Testing

@Suite struct RequirementsTests {
    private static func table() throws -> [Requirement] {
        let path = Corpora.folder + "/requirements.csv"
        return try Requirement.table(csv: [UInt8](Data(contentsOf: URL(filePath: path))), file: path)
    }

    @Test func `every vector named as cover exists`() throws {
        let ids = Set(try VectorFolder(paths: [Corpora.folder]).files.flatMap(\.cases).map(\.id))
        for row in try Self.table() {
            for id in row.vectors {
                #expect(ids.contains(id), "\(row.id): \(id)")
            }
        }
    }

    /// A test is named by its suite, and by the words of its name with hyphens between them.
    @Test func `every Swift test named as cover exists`() throws {
        var suites: Set<String> = []
        var tests: Set<String> = []
        let folder = TestData.packageRoot + "/Tests/"
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
            let text = String(decoding: try Data(contentsOf: URL(filePath: folder + file)), as: UTF8.self)
            suites.formUnion(
                text.split(separator: "struct ").dropFirst().map { String($0.prefix { $0.isLetter || $0.isNumber }) })
            tests.formUnion(
                text.split(separator: "func `").dropFirst().map { Self.hyphenated($0.prefix { $0 != "`" }) })
        }
        for row in try Self.table() {
            for cover in row.covers where cover.first?.isUppercase == true {
                let parts = cover.split(separator: ".").map(String.init)
                let suite = parts.lastIndex { suites.contains($0) }
                #expect(suite != nil, "\(row.id): no suite of \(cover)")
                for name in parts.dropFirst((suite ?? 0) + 1) {
                    #expect(tests.contains(name), "\(row.id): no test \(cover)")
                }
            }
        }
    }

    private static func hyphenated(_ name: some StringProtocol) -> String {
        name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    }

    @Test func `every requirement is there once and has its cover or reason`() throws {
        let table = try Self.table()
        #expect(table.count >= 660)
        #expect(Set(table.map(\.id)).count == table.count)
        for row in table {
            #expect(!row.text.isEmpty && (!row.covers.isEmpty || !row.reason.isEmpty), "\(row.id)")
        }
    }

    @Test func `every method of the reference suites has a row`() throws {
        let ids = Set(try Self.table().map(\.id))
        for number in 1...455 {
            let digits = String(number)
            let id = "T" + String(repeating: "0", count: 3 - digits.count) + digits
            #expect(ids.contains(id), "\(id)")
        }
    }

    /// `soup conform coverage Corpora` prints what is missing.
    @Test func `core requirements have a positive and a negative vector or a reason`() throws {
        let table = try Self.table()
        let coverage = VectorCoverage(
            files: try VectorFolder(paths: [Corpora.folder]).files, requirements: table,
            codes: ["soupNotFound", "none"])
        let requirements = coverage.items.filter { $0.kind == "requirement" }
        #expect(requirements.map(\.name) == table.map(\.id))
        let core = requirements.filter { $0.level == .core }
        #expect(core.count >= 130)
        #expect(core.filter(\.isMissing).map(\.name) == [])
        // Nothing else of level core may lose its vectors.
        for kind in ["index type", "query kind", "OData operator", "OData function"] {
            let own = coverage.items.filter { $0.kind == kind }
            #expect(own.count >= 5 && own.allSatisfy { !$0.isMissing }, "\(kind)")
        }
        #expect(coverage.items.filter { $0.kind == "error code" }.map(\.isMissing) == [false, true])
    }

    @Test func `malformed table is refused with its row`() {
        let header = "id,section,requirement,level,covered by,reason\n"
        for (text, key) in [
            ("id,section\n", "row 1"), (header + "A,1,t,core\n", "row 2"), (header + "A,1,t,odd,,\n", "row 2"),
        ] {
            let problem = #expect(throws: VectorProblem.self) {
                try Requirement.table(csv: Array(text.utf8), file: "r.csv")
            }
            #expect(problem?.key == key)
        }
    }
}
