import OfflineStore
import OfflineSync
import ServiceTransport
import Soups
import Synchronization
import Testing

/// How many ids a query names.
@Suite struct IdSlicesTests {
    private static let limit = 16_000
    private static let date = "2020-09-01T10:00:00.000+0000"

    /// The lengths of the targets of a refresh and a later one over rows with long ids.
    ///
    /// - Parameter undated: The row without a date; nil if all have one.
    private func targets(undated: Int?) async throws -> (first: [Int], later: [Int]) {
        let setup = try SyncSetup()
        try setup.register("accounts")
        let rows = (0..<500).map { number -> [UInt8] in
            let date = number == undated ? "" : #""LastModifiedDate":"\#(Self.date)","#
            return Array(#"{"Id":"\#(Self.id(number))",\#(date)"__local__":false}"#.utf8)
        }
        try await setup.store.upsert(rows, into: "accounts")
        let lengths = Mutex<[Int]>([])
        let manager = try setup.manager(
            FunctionTransport { request in
                lengths.withLock { $0.append(request.target.utf8.count) }
                let record = #"{"Id":"\#(Self.id(0))","LastModifiedDate":"\#(Self.date)"}"#
                let body = #"{"totalSize":1,"done":true,"records":[\#(record)]}"#
                return ServiceResponse(status: 200, body: Array(body.utf8))
            })
        let target: JSONObject = [
            "type": "refresh", "soupName": "accounts", "sobjectType": "Account", "fieldlist": ["Name"],
        ]
        try await manager.sync(.down, target: target, soup: "accounts", name: "down").requireDone()
        let first = lengths.withLock { lengths in
            defer { lengths = [] }
            return lengths
        }
        try await manager.reSync("down").requireDone()
        return (first, lengths.withLock { $0 })
    }

    /// An id of 60 digits: quoted and encoded, with the separator before it, it takes 72 bytes.
    private static func id(_ number: Int) -> String {
        let digits = String(number)
        return "9" + String(repeating: "0", count: 59 - digits.count) + digits
    }

    @Test func `a query has no room for one more id`() async throws {
        let (first, later) = try await targets(undated: nil)
        #expect(first.count == 3 && later.count == 3)
        for lengths in [first, later] {
            #expect(lengths.dropLast().allSatisfy { (Self.limit - 72..<Self.limit).contains($0) })
        }
        // With a condition on time there is room for one id less.
        #expect(first[0] == 15_950)
        #expect(later[0] == 15_950 - 72 + 68)
    }

    @Test func `a slice with a row that has no date needs no room for a condition on time`() async throws {
        let (first, later) = try await targets(undated: 219)
        #expect(later[0] == first[0])
    }
}
