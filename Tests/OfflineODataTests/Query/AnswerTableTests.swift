import Foundation
import JSONText
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineOData

/// The tables of `docs/odata-offline.md` say what is so.
@Suite struct AnswerTableTests {
    private static func page() throws -> String {
        try String(contentsOfFile: TestData.packageRoot + "/docs/odata-offline.md", encoding: .utf8)
    }

    @Test func `each operator and function is answered as the table says`() throws {
        let folder = try TemporaryFolder()
        let store = try SmartStore(
            path: folder.file("answers.db"), options: StoreOptions(library: try BackEnd.plain.library()))
        try store.registerSoup(
            "E",
            indexSpecs: [
                .string("S"), .fullText("T"), .json1("J"), .integer("I"), .floating("F"),
            ])
        let lines = Set(try Self.page().split(separator: "\n").map(String.init))
        for sample in AnswerSample.operators + AnswerSample.functions {
            let line = try sample.line(in: store, soup: "E")
            let isThere = lines.contains(line)
            #expect(isThere, "\(line)")
        }
        let rows = lines.count { $0.hasSuffix("| entry |") }
        #expect(rows == AnswerSample.operators.count + AnswerSample.functions.count)
    }

    @Test(arguments: CanonicalFunction.allCases) func `each function is in the table`(function: CanonicalFunction) {
        let call = function.name + "("
        #expect(AnswerSample.functions.contains { $0.filter.contains(call) })
    }

    @Test(arguments: [
        "$skiptoken=x", "$deltatoken=x", "$id=x", "$index=1", "$filter=$root/E(1)/P eq 1",
    ])
    func `what only a service answers is unsupported, as the page says`(query: String) throws {
        let word = try #require(query.split(separator: "/")[0].split(separator: "=").first { $0.hasPrefix("$") })
        let name = query.contains("$root") ? "$root" : String(word)
        #expect(try Self.page().contains("`\(name)`"))
        let fault = #expect(throws: Fault.self) {
            _ = try SoupQuery(query.replacing(" ", with: "%20"), version: .v401)
        }
        #expect(fault?.code == .unsupported)
    }

    @Test(arguments: DecisionLine.allCases)
    func `each line of the table of decisions has vectors on the page`(line: DecisionLine) throws {
        guard line != .none else { return }
        let name = "`\(line.rawValue)`"
        let row = try Self.page().split(separator: "\n").first { $0.contains("(" + name) || $0.contains(", \(name))") }
        #expect(try !Self.vectors(in: String(#require(row))).isEmpty)
    }

    @Test func `each vector on the page is one of the corpus`() throws {
        let known = try Self.corpus()
        let page = try Self.page()
        var count = 0
        for row in page.split(separator: "\n") where row.hasPrefix("| ") {
            for name in Self.vectors(in: String(row)) {
                let isKnown =
                    known.contains(name) || known.contains("soup-" + name) || known.contains("offline-" + name)
                #expect(isKnown, "\(name)")
                count += 1
            }
        }
        #expect(count > 100)
    }

    @Test func `the page names the number of planted faults`() throws {
        let patch = try String(
            contentsOfFile: TestData.packageRoot + "/ci/mutants/odata/faults.patch", encoding: .utf8)
        let faults = Set(patch.matches(of: /isOn\("([a-z0-9-]+)"\)/).map { String($0.output.1) })
        #expect(faults.count >= 30)
        #expect(try Self.page().contains("plants \(faults.count) faults"))
    }

    /// The names of vectors in a row of a table: those in code with a hyphen; `-403` stands for the name before it with
    /// another end.
    private static func vectors(in row: String) -> [String] {
        var names: [String] = []
        for match in row.matches(of: /`([A-Za-z0-9.-]+)`/) {
            let name = String(match.output.1)
            guard name.contains("-") else { continue }
            guard name.hasPrefix("-"), let last = names.last, let end = last.lastIndex(of: "-") else {
                names.append(name)
                continue
            }
            names.append(last[..<end] + name)
        }
        return names
    }

    private static func corpus() throws -> Set<String> {
        var names: Set<String> = []
        for folder in ["/Corpora/odata/offline", "/Corpora/offline"] {
            for file in try FileManager.default.contentsOfDirectory(atPath: TestData.packageRoot + folder) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: TestData.packageRoot + folder + "/" + file))
                for item in try JSONValue(parsing: Array(bytes))["cases"]?.array ?? [] {
                    names.insert(item["id"]?.string ?? "")
                }
            }
        }
        return names
    }
}
