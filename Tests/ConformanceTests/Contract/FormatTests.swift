import Conformance
import FoundationEssentials
import JSONText
import SQLiteAccess
import TestSupport
import Testing

/// Holds `Corpora/FORMAT.md` to what the runner knows and what the vectors use.
@Suite struct FormatTests {
    private let document: ContractDocument

    init() throws { document = try ContractDocument() }

    /// The rows of the tables of calls: name, marks and words of each cell.
    private var calls: [(name: String, writes: Bool, arguments: [String])] {
        document.rows(in: "Calls", under: "call").map { row in
            (ContractDocument.words(in: row[0])[0], row[0].contains("**w**"), ContractDocument.words(in: row[1]))
        }
    }

    @Test func `lists every call with its arguments`() {
        let found = calls
        #expect(found.map(\.name).sorted() == CallSignature.all.map(\.name).sorted())
        for call in found {
            #expect(call.arguments.sorted() == CallSignature.of(call.name)?.arguments.sorted(), "\(call.name)")
        }
    }

    /// An argument that a call reads must be in the table of signatures, from which the others are checked.
    @Test func `arguments that calls read are those of their signatures`() throws {
        let read = try Self.argumentsInSources()
        let listed = Set(CallSignature.all.flatMap(\.arguments) + CallSignature.commonArguments)
        // Members of the arguments `options`, `returning`, `requests`, `relations` and `sets`.
        let members: Set = [
            "permissivePaths", "fullTextVersion", "fullTextIndexes", "readOnly", "objectName", "withNetwork", "method",
            "headers", "body", "group", "dependsOn", "if", "soup", "local", "foreign", "collection",
            // Members of `sets` and `options` of `offline.open`.
            "localOnly", "repeatable", "deepInserts", "clientKey", "replaces", "mergesBy", "tunnels", "doubt",
            "refresh",
        ]
        #expect(read.subtracting(members).subtracting(listed) == [])
        #expect(listed.subtracting(read) == [])
    }

    private static func argumentsInSources() throws -> Set<String> {
        let folder = TestData.packageRoot + "/Sources/Conformance"
        var files = ["PayloadCalls", "ChangeCall", "BatchCalls", "ODataArguments"].map {
            folder + "/ODataShapes/\($0).swift"
        }
        files += try FileManager.default.contentsOfDirectory(atPath: folder + "/Calls").map { folder + "/Calls/" + $0 }
        let reading =
            /(?:value\(|keys\(|[tT]ext\(|nteger\(|Int\(|flag\(|rray\(|nts\(|texts\(|List\(|instant\(|bjects?\(|arguments\[|argument: |String = |embers\(|list\(|entifier\()"(\w+)"/
        var names: Set<String> = []
        for file in files where !file.hasSuffix("BackEndCalls.swift") {
            let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
            names.formUnion(text.matches(of: reading).map { String($0.1) })
        }
        return names.union(["format"]).subtracting(["features"])
    }

    @Test func `vectors use only arguments of their calls`() throws {
        for vectorCase in try VectorFolder(paths: [Corpora.folder]).files.flatMap(\.cases) {
            for call in (vectorCase.fixture?.calls ?? []) + vectorCase.steps.map(\.call) {
                let known = (CallSignature.of(call.name)?.arguments ?? []) + CallSignature.commonArguments
                let unknown = call.arguments.names.filter { !known.contains($0) }
                #expect(unknown == [], "\(vectorCase.id): \(call.name)")
            }
        }
    }

    @Test func `marks the calls that move the clock`() throws {
        let backEnd = try StoreBackEnd(.plain)
        defer { backEnd.close() }
        let soup = JSONObject([("soupName", "s"), ("indexSpecs", [["path": "k", "type": "string"]])])
        for call in calls where call.name != "reset" {
            try backEnd.reset()
            _ = try backEnd.run("registerSoup", soup)
            _ = try? backEnd.run(call.name, JSONObject())
            // One of the calls suspends the store; this one does not move the clock.
            _ = try backEnd.run("store.resume", JSONObject())
            _ = try backEnd.run("registerSoup", soup)
            let stored = try backEnd.run("upsertSoupEntries", JSONObject([("soupName", "s"), ("entries", [[:]])]))
            let time = try #require(stored.array?.first?["_soupLastModifiedDate"]?.int64)
            let calls: Int64 = call.writes ? 3 : 2
            #expect(time - 1_600_000_000_000 == calls, "\(call.name)")
        }
    }

    @Test func `lists every matcher`() {
        let words = document.rows(in: "Matchers", under: "matcher").flatMap { row in
            row[0].matches(of: /\$[a-zA-Z]+/).map { String($0.0) }
        }
        #expect(words.sorted() == Matcher.words.sorted())
    }

    @Test func `lists every capability with its level`() {
        let rows = document.rows(in: "Capabilities and levels", under: "capability")
        #expect(
            rows.map { ContractDocument.words(in: $0[0])[0] }.sorted() == Capability.all.map(\.rawValue).sorted())
        for row in rows {
            let capability = Capability(rawValue: ContractDocument.words(in: row[0])[0])
            #expect(row[1] == capability.level.rawValue, "\(capability.rawValue)")
            #expect(row[0].hasSuffix("*") == Capability.unnamedBefore.contains(capability), "\(capability.rawValue)")
        }
    }

    @Test func `lists every error code`() throws {
        let source = TestData.packageRoot + "/Sources/Soups/Fault+Code.swift"
        let text = String(decoding: try Data(contentsOf: URL(filePath: source)), as: UTF8.self)
        let known = text.matches(of: /Self\(rawValue: "(\w+)"\)/).map { String($0.1) }
        #expect(known.count >= 48)
        let rows = document.rows(in: "Error codes", under: "code")
        let listed = rows.map { ContractDocument.words(in: $0[0])[0] }
        #expect(listed.sorted() == known.sorted())
        #expect(rows.allSatisfy { $0.count == 2 && !$0[1].isEmpty })
        for vectorCase in try VectorFolder(paths: [Corpora.folder]).files.flatMap(\.cases) {
            for case .fails(let fault) in vectorCase.steps.map(\.expectation) {
                #expect(fault.code.map(listed.contains) ?? true, "\(vectorCase.id): \(fault.code ?? "")")
            }
        }
    }
}
