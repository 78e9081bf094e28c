import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Plans of prepared statements.
@Suite
struct StatementPlanTests {
    @Test(arguments: BackEnd.allCases)
    func `each statement's plan is listed, in the same order in every run, without those of modules`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        func plans() throws -> [String] {
            let store = try StoreFolder(backEnd).open()
            try store.registerSoup("notes", indexSpecs: [.string("k"), .fullText("t")])
            try store.upsert(["{\"k\":\"a\",\"t\":\"words of a text\"}".bytes], into: "notes")
            _ = try store.query(.exact(path: "k", matchKey: "a"), soup: "notes")
            _ = try store.query(.match(path: "t", matchKey: "words"), soup: "notes")
            return try store.statementPlans()
        }
        let first = try plans()
        #expect(
            first.contains { $0.contains("TABLE_1_0_idx") } && first.contains { $0.contains("VIRTUAL TABLE INDEX") })
        #expect(try plans() == first)
    }

    @Test(arguments: BackEnd.allCases)
    func `a closed store has no plans`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try store.close()
        #expect(faultCode { _ = try store.statementPlans() } == .closed)
    }

    @Test(arguments: BackEnd.allCases)
    func `statements whose tables an alteration dropped are left out`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        try store.upsert(["{\"k\":\"a\"}".bytes], into: "notes")
        try store.alterSoup("notes", indexSpecs: [.string("k"), .integer("n")])
        #expect(try store.statementPlans().allSatisfy { !$0.contains("_old") })
    }
}
