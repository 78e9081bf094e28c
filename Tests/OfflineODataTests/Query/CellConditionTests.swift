import Foundation
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Conditions that are evaluated on the cells of an index.
@Suite struct CellConditionTests {
    /// A soup whose entries are files, which are gone.
    private static func storeWithoutEntries(_ folder: borrowing TemporaryFolder, _ rows: [String]) throws -> SmartStore
    {
        let store = try SmartStore(
            path: folder.file("cells.db"), options: StoreOptions(library: try BackEnd.plain.library()))
        try store.registerSoup(SoupSpec(name: "E", features: [.externalStorage]), indexSpecs: [.string("A")])
        try store.upsert(rows.map { Array($0.utf8) }, into: "E")
        let files = FileManager.default
        for name in try files.subpathsOfDirectory(atPath: folder.path)
        where !name.hasPrefix("cells.db") || name.contains("/") {
            let path = folder.path + "/" + name
            var isFolder: ObjCBool = false
            if files.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
                try files.removeItem(atPath: path)
            }
        }
        return store
    }

    @Test(arguments: ["length(A) eq 3", "contains(A,'b')", "tolower(A) eq 'abc' or A eq 'x'", "not startswith(A,'b')"])
    func `a condition on plain cells reads no entry`(filter: String) throws {
        let folder = try TemporaryFolder()
        let store = try Self.storeWithoutEntries(folder, [#"{"A":"aBb"}"#, #"{"A":"abc"}"#, #"{"A":null}"#, "{}"])
        let query = try SoupQuery("$count=true&$top=0&$filter=" + filter.replacing(" ", with: "%20"), version: .v401)
        #expect(try (store.query(odata: query, in: "E").count ?? 0) > 0)
    }

    @Test func `a cell that may be a number makes its entry read`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.storeWithoutEntries(folder, [#"{"A":"abc"}"#, #"{"A":"5"}"#])
        let query = try SoupQuery("$count=true&$top=0&$filter=length(A)%20eq%203", version: .v401)
        #expect { try store.query(odata: query, in: "E") } throws: { ($0 as? Fault)?.code == .corrupt }
    }
}
