import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Time of Smart SQL.
@Suite
struct SmartQueryTimeTests {
    private static let endless =
        "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c where x < 0"

    @Test(arguments: BackEnd.allCases)
    func `a query that never ends is stopped when its time is over, and the store can be used`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open { $0.smartQueryTime = .milliseconds(50) }
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        try store.upsert(["{\"k\":\"a\"}".bytes], into: "notes")
        #expect(faultCode { _ = try store.runSmartQuery(.smart(Self.endless)) } == .limitExceeded)
        #expect(
            faultCode { try store.remove(matching: .smart("select 1 as id from (\(Self.endless))"), from: "notes") }
                == .limitExceeded)
        #expect(try store.runSmartQuery(.smart("select {notes:k} from {notes}")).totalEntries == 1)
        #expect(try store.upsert(["{\"k\":\"b\"}".bytes], into: "notes").count == 1)
    }
}
