public import OfflineStore
public import ServiceTransport
import Soups

/// What a target of a sync down works with: the store, the definition, and the service.
///
/// Valid during one run. Requests are sent one after the other: one that is asked for while another is under way waits.
public final class DownContext: Sendable {
    /// The store of the soup.
    public let store: SmartStore
    /// The soup of the sync.
    public let soup: String
    /// The id of the sync.
    public let syncId: Int64
    /// What happens to rows that were changed locally.
    public let mergeMode: SyncMergeMode
    /// The path before the calls of the service: `/services/data/v66.0`.
    public let basePath: String
    let link: ServiceLink
    /// The most records of a run, and the most ids of a list.
    let recordLimit: Int
    /// The ids of rows that this run has asked the service for, one by one.
    let askedIds = AskedIds()
    /// Whether the run before was cut off: it has not brought everything up to its time.
    let continuesRun: Bool

    init(
        _ state: SyncState, store: SmartStore, options: SyncManagerOptions, link: ServiceLink,
        former: SyncStatus = .done
    ) {
        self.store = store
        soup = state.soupName
        syncId = state.id
        mergeMode = state.options.mergeMode
        basePath = "/services/data/" + options.version
        self.link = link
        recordLimit = options.recordLimit
        // A row still says that a run is under way if the end of that run could not be written.
        continuesRun = [.stopped, .failed, .running].contains(former)
    }

    /// Sends a request and returns the answer, whatever its status.
    ///
    /// The date of the first answer that is marked as data limits the stamp: mark those that have records.
    ///
    /// - Throws: `offline`, `noAnswer`, `unauthorized`, `limitExceeded`, and what ends a run that was stopped: let it
    ///   pass.
    public func send(_ request: ServiceRequest, isData: Bool = true) async throws -> ServiceResponse {
        try await link.send(request, isData: isData)
    }

    /// Sends a request that must be answered with a success.
    ///
    /// - Throws: as `send`; the fault of any other status.
    public func succeed(_ request: ServiceRequest, isData: Bool = true) async throws -> ServiceResponse {
        let response = try await link.send(request, isData: isData)
        if let failure = ServiceError.failure(response, to: request) {
            throw failure
        }
        return response
    }
}

extension DownContext {
    /// The request of a query.
    func query(_ text: String, batchSize: Int = SOQLTarget.greatestBatch) -> ServiceRequest {
        var headers = ServiceCalls.headers
        if batchSize != SOQLTarget.greatestBatch {
            headers.append(Pair("Sforce-Query-Options", "batchSize=\(batchSize)"))
        }
        return ServiceRequest(
            method: "GET", path: basePath + "/query", query: [Pair("q", text)], headers: headers)
    }

    /// Sends a query and returns the bytes of its answer.
    func rows(of text: String, batchSize: Int = SOQLTarget.greatestBatch) async throws -> CallAnswer {
        let request = query(text, batchSize: batchSize)
        return CallAnswer(request: request, bytes: try await succeed(request).body)
    }

    /// Follows the link to a further page.
    ///
    /// - Throws: `cursorExpired` if the service does not know the link any more; as `succeed`.
    func follow(_ link: NextLink) async throws -> CallAnswer {
        let request = ServiceRequest(
            method: "GET", path: link.path, encodedQuery: link.query, headers: ServiceCalls.headers)
        let response = try await send(request)
        if let failure = ServiceError.failure(response, to: request, isNextPage: true) {
            throw failure
        }
        return CallAnswer(request: request, bytes: response.body)
    }
}

/// The bytes of a success, with the request for faults about them.
struct CallAnswer: Sendable {
    let request: ServiceRequest
    let bytes: [UInt8]

    /// Reads the bytes; faults name the request.
    func read<R>(_ work: ([UInt8]) throws(Fault) -> R) throws(Fault) -> R {
        do throws(Fault) {
            return try work(bytes)
        } catch {
            throw Fault(error.code, "\(request.method) \(request.path): \(error.message)")
        }
    }
}
