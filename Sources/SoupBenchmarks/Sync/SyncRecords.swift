import ServiceTransport
import Soups
import Synchronization

/// Records of a service of about 1 KB, as the answers of pages and as the rows that a sync makes of them.
struct SyncRecords: Sendable {
    /// A text in every record.
    static let marker = Array("sync-record-marker".utf8)

    let count: Int
    let pageSize: Int

    /// The bodies of the answers, one a page.
    var answers: [[UInt8]] {
        pages.map { page in
            let records = page.map { "{" + members($0) + "}" }.joined(separator: ",")
            let next =
                page.upperBound < count ? #","nextRecordsUrl":"/services/data/v66.0/query/\#(page.upperBound)""# : ""
            return Array(
                #"{"totalSize":\#(count),"done":\#(next.isEmpty)\#(next),"records":[\#(records)]}"#.utf8)
        }
    }

    /// The rows of each page.
    var rows: [[[UInt8]]] {
        pages.map { page in page.map { Array(("{" + members($0) + "," + Self.flags + "}").utf8) } }
    }

    private var pages: [Range<Int>] {
        stride(from: 0, to: count, by: pageSize).map { $0..<min($0 + pageSize, count) }
    }

    private static let flags =
        #""__local__":false,"__locally_created__":false,"__locally_updated__":false,"__locally_deleted__":false,"__sync_id__":1"#

    private func members(_ number: Int) -> String {
        let id = String(1_000_000_000 + number)
        let seconds = number / 100
        let time = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        var text =
            #""attributes":{"type":"Account","url":"/services/data/v66.0/sobjects/Account/001\#(id)"},"Id":"00100\#(id)AAA","LastModifiedDate":"2026-01-01T\#(time.joined(separator: ":")).000+0000","Name":"Account \#(id)""#
        for field in 0..<12 {
            text += #","Field\#(field)__c":"sync-record-marker \#(id) and some more text \#(field)""#
        }
        return text
    }
}

/// Answers each request with the next body.
final class ReadyAnswers: Transport {
    private let bodies: [[UInt8]]
    private let next = Atomic(0)

    init(_ bodies: [[UInt8]]) { self.bodies = bodies }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let place = next.add(1, ordering: .relaxed).oldValue
        guard place < bodies.count else { throw TransportFailure.noAnswer("no answer is ready") }
        return ServiceResponse(status: 200, body: bodies[place])
    }
}

/// The result of asynchronous work, for the thread that waits for it.
final class WorkResult: Sendable {
    private let result = Mutex<Result<Int, any Error>?>(nil)

    func set(_ result: Result<Int, any Error>) { self.result.withLock { $0 = result } }

    func get() throws -> Int {
        guard let result = result.withLock({ $0 }) else { throw Fault(.closed, "the work has no result") }
        return try result.get()
    }
}
