public import OfflineStore
public import ServiceTransport
import Soups

/// What a target of a sync up works with: the store, the definition, and the service.
///
/// Valid during one run. Requests are sent one after the other.
public final class UpContext: Sendable {
    /// The store of the soup.
    public let store: SmartStore
    /// The soup of the sync.
    public let soup: String
    /// The id of the sync.
    public let syncId: Int64
    /// What happens where the service has a newer record.
    public let mergeMode: SyncMergeMode
    /// The path before the calls of the service: `/services/data/v66.0`.
    public let basePath: String
    let part: UpPart
    let link: ServiceLink

    init(_ state: SyncState, store: SmartStore, basePath: String, part: UpPart, link: ServiceLink) {
        self.store = store
        soup = state.soupName
        syncId = state.id
        mergeMode = state.options.mergeMode
        self.basePath = basePath
        self.part = part
        self.link = link
    }

    /// The member of a row with the id of the record.
    public var idField: String { part.idField }
    /// The member of a row with the date of the record's last modification.
    public var modificationField: String { part.modificationField }

    /// Sends a request and returns the answer, whatever its status.
    ///
    /// - Throws: `offline`, `noAnswer`, `unauthorized`, `limitExceeded`, and what ends a run that was stopped: let it
    ///   pass.
    public func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        try await link.send(request, isData: false)
    }

    /// Sends a request that must be answered with a success.
    ///
    /// - Throws: as `send`; the fault of any other status.
    public func succeed(_ request: ServiceRequest) async throws -> ServiceResponse {
        let response = try await send(request)
        if let failure = ServiceError.failure(response, to: request) {
            throw failure
        }
        return response
    }
}

extension UpContext {
    /// The path of a type, and of what is below it.
    func path(_ type: String, _ segments: String...) -> String {
        ([basePath, "sobjects"] + ([type] + segments).map { PercentEncoding.encoded($0) }).joined(separator: "/")
    }

    /// A request with a JSON body.
    func request(_ method: String, _ path: String, body: [UInt8]) -> ServiceRequest {
        ServiceRequest(
            method: method, path: path, headers: ServiceCalls.headers + [Pair("Content-Type", "application/json")],
            body: body)
    }

    /// A request without a body.
    func request(_ method: String, _ path: String, query: [Pair] = []) -> ServiceRequest {
        ServiceRequest(method: method, path: path, query: query, headers: ServiceCalls.headers)
    }
}
