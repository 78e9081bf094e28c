import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Rows that are shown to a closure.
@Suite struct RowVisitTests {
    private static let text =
        "SELECT {products:_soupEntryId}, {products:_soup} FROM {products} WHERE {products:Price} > ? ORDER BY 1"

    @Test(arguments: [BackEnd.plain, .cipher])
    func `rows are shown until the closure has enough`(backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try ProductStore(backEnd)
        try setup.add(1..<10)
        var ids: [StoreCell] = []
        try setup.store.rows(Self.text, arguments: [.integer(2)]) { row in
            ids.append(try row.cell(at: 0))
            #expect(row.count == 2)
            return ids.count < 3
        }
        #expect(ids == [3, 4, 5].map { .value(.integer($0)) })
    }

    @Test func `they are those of the form without a closure`() throws {
        let setup = try ProductStore()
        try setup.add(1..<10)
        var shown: [[StoreCell]] = []
        try setup.store.rows(Self.text, arguments: [.integer(0)]) { row in
            shown.append(try row.cells())
            return true
        }
        #expect(try shown == setup.store.rows(Self.text, arguments: [.integer(0)], limit: 100))
    }

    @Test func `a fault of the closure ends the call unchanged, and the store goes on`() throws {
        let setup = try ProductStore()
        try setup.add(1..<4)
        let own = Fault(.arithmetic, "division by zero", offset: 3)
        #expect(throws: own) {
            try setup.store.rows(Self.text, arguments: [.integer(0)]) { (_) throws(Fault) in throw own }
        }
        #expect(try setup.store.rows(Self.text, arguments: [.integer(0)], limit: 9).count == 3)
    }

    @Test func `faults of the text are those of the other form`() throws {
        let setup = try ProductStore()
        #expect { try setup.store.rows("SELECT {nothing:a} FROM {nothing}") { _ in true } } throws: { error in
            (error as? Fault)?.code == .soupNotFound
        }
        #expect { try setup.store.rows(Self.text) { _ in true } } throws: { error in
            (error as? Fault)?.code == .argumentsMismatch
        }
    }
}
