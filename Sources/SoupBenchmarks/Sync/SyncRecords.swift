import Dispatch
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
    var answers: [[UInt8]] { pages.map { answer($0) { "{" + members($0) + "}" } } }

    /// The body of the answer with a number.
    func answer(_ number: Int) -> [UInt8] { answer(page(number)) { "{" + members($0) + "}" } }

    /// The body of the answer with a number to a query for ids.
    ///
    /// - Parameter isAlive: Whether the service still has a record.
    func ids(_ number: Int, where isAlive: (Int) -> Bool) -> [UInt8] {
        let page = page(number)
        return answer(page, of: page.filter(isAlive)) { #"{"Id":"\#(id($0))"}"# }
    }

    private func page(_ number: Int) -> Range<Int> { number * pageSize..<min((number + 1) * pageSize, count) }

    private func answer(_ page: Range<Int>, of numbers: [Int]? = nil, _ record: (Int) -> String) -> [UInt8] {
        let records = (numbers ?? Array(page)).map(record).joined(separator: ",")
        let next =
            page.upperBound < count ? #","nextRecordsUrl":"/services/data/v66.0/query/\#(page.upperBound)""# : ""
        return Array(#"{"totalSize":\#(count),"done":\#(next.isEmpty)\#(next),"records":[\#(records)]}"#.utf8)
    }

    /// The id of a record.
    func id(_ number: Int) -> String { "00100\(1_000_000_000 + number)AAA" }

    /// The rows of each page.
    var rows: [[[UInt8]]] { rows(dirty: { _ in false }) }

    /// The rows of each page, of which some have local changes.
    func rows(dirty isDirty: (Int) -> Bool) -> [[[UInt8]]] {
        (0..<pageCount).map { rows(ofPage: $0, dirty: isDirty) }
    }

    /// The rows of the page with a number.
    func rows(ofPage number: Int, dirty isDirty: (Int) -> Bool) -> [[UInt8]] {
        page(number).map { Array(("{" + members($0) + "," + (isDirty($0) ? Self.dirtyFlags : Self.flags) + "}").utf8) }
    }

    var pageCount: Int { (count + pageSize - 1) / pageSize }

    private var pages: [Range<Int>] { (0..<pageCount).map(page) }

    private static let flags =
        #""__local__":false,"__locally_created__":false,"__locally_updated__":false,"__locally_deleted__":false,"__sync_id__":1"#

    private static let dirtyFlags =
        #""__local__":true,"__locally_created__":false,"__locally_updated__":true,"__locally_deleted__":false,"__sync_id__":1"#

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
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < bodies.count else { throw TransportFailure.noAnswer("no answer is ready") }
        return ServiceResponse(status: 200, body: bodies[index])
    }
}

/// Answers each request with the next body; holds one of the answers back until it is released.
final class WaitingAnswers: Transport {
    private let base: ReadyAnswers
    private let number: Int
    private let wait: @Sendable () async -> Void
    private let next = Atomic(0)

    init(_ bodies: [[UInt8]], waitsAt number: Int, _ wait: @escaping @Sendable () async -> Void) {
        base = ReadyAnswers(bodies)
        self.number = number
        self.wait = wait
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        if next.add(1, ordering: .relaxed).oldValue == number {
            await wait()
        }
        return try await base.send(request)
    }
}

/// Answers each request with a body that is made then, so that no answer is held before.
final class MadeAnswers: Transport {
    private let body: @Sendable (Int) -> [UInt8]
    private let next = Atomic(0)

    /// - Parameter body: The body of the answer with a number, from 0 on.
    init(_ body: @escaping @Sendable (Int) -> [UInt8]) { self.body = body }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        ServiceResponse(status: 200, body: body(next.add(1, ordering: .relaxed).oldValue))
    }
}
