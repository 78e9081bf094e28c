import JSONText
import LoopbackHTTP
import MockODataService
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import ServiceTransport
import Soups
import TestSupport
import Testing

/// How a scenario talks to its service.
enum ScenarioRoute: CaseIterable, Sendable { case inProcess, overHTTP }

/// A service, a store in a folder of its own, and the client between them.
final class ScenarioSetup {
    let service: MockODataService
    let backEnd: BackEnd
    let map: EntitySetMap
    private let folder: TemporaryFolder
    private let server: LoopbackServer?
    private let format: ODataChangeRequest.Format
    private let change: (inout ODataClientOptions) -> Void
    private let wrap: (any Transport) -> any Transport
    private(set) var store: SmartStore
    private(set) var client: ODataClient

    init(
        _ service: MockODataService, metadata: String, _ route: ScenarioRoute, _ backEnd: BackEnd,
        sets: [String: EntitySetSettings], format: ODataChangeRequest.Format = .json,
        options change: @escaping (inout ODataClientOptions) -> Void = { _ in },
        transport wrap: @escaping (any Transport) -> any Transport = { $0 }
    ) throws {
        self.service = service
        self.backEnd = backEnd
        self.format = format
        self.change = change
        self.wrap = wrap
        folder = try TemporaryFolder()
        let version = ODataVersion(rawValue: service.options.version.rawValue) ?? .v4
        map = try EntitySetMap(model: EdmModel(csdl: Array(metadata.utf8)), version: version, sets: sets)
        server =
            route == .inProcess
            ? nil
            : try LoopbackServer { request in
                let answer = service.handle(request)
                switch answer.ending {
                case .whole: return LoopbackAnswer(answer.response, delay: answer.delay)
                case .cut(let bytes): return LoopbackAnswer(answer.response, ending: .cut(afterBytes: bytes))
                case .dropped: return .dropped
                }
            }
        store = try Self.opened(folder, backEnd)
        client = try Self.client(store, service, server, map, format, change, wrap)
    }

    deinit {
        server?.stop()
        try? store.close()
    }

    /// The path of the store's file.
    var path: String { folder.file("scenario.db") }

    /// Closes the store and opens it again, as after the end of the process.
    func reopen() throws {
        try store.close()
        store = try Self.opened(folder, backEnd)
        client = try Self.client(store, service, server, map, format, change, wrap)
    }

    private static func opened(_ folder: TemporaryFolder, _ backEnd: BackEnd) throws -> SmartStore {
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        options.settings.durability = .relaxed
        return try SmartStore(path: folder.file("scenario.db"), options: options)
    }

    private static func client(
        _ store: SmartStore, _ service: MockODataService, _ server: LoopbackServer?, _ map: EntitySetMap,
        _ format: ODataChangeRequest.Format, _ change: (inout ODataClientOptions) -> Void,
        _ wrap: (any Transport) -> any Transport
    ) throws -> ODataClient {
        var options = ODataClientOptions()
        options.format = format
        change(&options)
        guard let server else {
            return try ODataClient(
                store, serviceRoot: "http://scenario.example/odata/", transport: wrap(service.transport),
                map: map,
                options: options)
        }
        return try ODataClient(
            store, serviceRoot: "http://127.0.0.1:\(server.port)/odata/",
            transport: wrap(LoopbackTransport(port: server.port)), map: map, options: options)
    }

    // MARK: - Rows

    /// The rows that a query finds, page by page.
    func rows(_ set: String, _ query: String = "") throws -> [JSONValue] {
        var cursor = try client.query(set, query)
        var rows = cursor.page
        while try cursor.next() {
            rows += cursor.page
        }
        return try rows.map { try JSONValue(parsing: $0) }
    }

    /// One property of the rows that a query finds.
    func column(_ name: String, of set: String, _ query: String = "") throws -> [JSONValue] {
        try rows(set, query).map { $0[name] ?? "missing" }
    }

    /// What differs between a set of the service and its rows.
    func differences(_ set: String, names: [String]? = nil) throws -> [String] {
        service.differences(set, from: try rows(set).compactMap(\.object), names: names)
    }

    /// The methods and paths of the requests since this was last called.
    func takeLog() -> [ServiceRequest] {
        defer { service.clearLog() }
        return service.log.map(\.request)
    }
}

extension ServiceRequest {
    /// The first lines of the parts of a batch.
    var partLines: [String] {
        String(decoding: body ?? [], as: UTF8.self).split(separator: "\r\n").filter { $0.hasSuffix(" HTTP/1.1") }
            .map { String($0.dropLast(9)) }
    }
}
