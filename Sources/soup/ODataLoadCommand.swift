import ArgumentParser
import LoopbackHTTP
import OfflineOData
import OfflineStore
import ServiceTransport
import Soups
import Synchronization

/// `soup odata load`: brings an entity set into a store.
struct ODataLoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Saves the entities of a feed or of a service in a store.",
        discussion: """
            FEED is a file with one answer of a service, in Atom or JSON, or the URL of a service on this machine without TLS, such as \
            that of soup mock odata. From a service all pages come; a second load asks for the changes since the first, where the \
            service gave a link to them. A load that was cut goes on with --resume. Each page is a line: number of entities, number \
            of rows that changed. Rows with local changes keep them.

            Examples:
              soup odata load app.db Products products.json --metadata metadata.xml
              soup odata load app.db Products http://127.0.0.1:8080/odata/ --metadata metadata.xml --query '$filter=Price gt 2'
              soup odata load app.db Products http://127.0.0.1:8080/odata/ --metadata metadata.xml --resume
              soup odata load app.db Products feed.xml --key ID --version 2.0

            \(ExitStatus.help(success: "done", failure: "the load failed or was stopped; the last line says why"))
            """)

    @OptionGroup var common: ODataCommandOptions

    @Option(help: "$filter, $select and $expand, as after the ? of a URL.")
    var query = ""

    @Option(help: "What is asked for: auto, full, delta or reload. (default: auto)", transform: OptionWord.read)
    var mode: LoadMode = .auto

    @Option(help: "The number of entities of a page that the service is asked for.")
    var pageSize: Int?

    @Flag(help: "Continues the last load of the set where it stopped.")
    var resume = false

    @Argument(help: "The file of the store; it is created if necessary.") var store: String
    @Argument(help: "The entity set.") var set: String
    @Argument(help: "A file, or the URL of a service; - is standard input.") var feed: String

    func validate() throws {
        guard pageSize.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--page-size must be at least 1")
        }
    }

    func run() async throws {
        let transport: any Transport
        let root: String
        if feed.hasPrefix("http:") || feed.hasPrefix("https:") {
            transport = LoopbackTransport(port: try ODataCommandOptions.port(of: feed))
            root = feed
        } else {
            transport = FeedTransport(try FileBytes.all(of: feed))
            root = "http://feed.invalid/"
        }
        let store = try common.store(store)
        let result = try await TextReport.awaiting {
            let client = try common.client(store, root: root, transport, sets: [set], pageSize: pageSize) { event in
                if case .page(_, let entities, let changed) = event {
                    print("\(entities.counted("entity", "entities")), \(changed.counted("row")) changed")
                }
            }
            return resume
                ? try await client.resume(set) : try await client.load(set, query: query, mode: mode)
        }
        let summary = result.summary
        let (pages, entities) = (summary.pages.counted("page"), summary.entities.counted("entity", "entities"))
        let changed = summary.changed.counted("row")
        print("\(pages), \(entities), \(changed) changed, \(summary.deleted) removed, \(summary.skipped) skipped")
        try await store.close()
        guard result.status == .done else {
            StandardError.say(result.fault?.description ?? "the load was stopped")
            throw ExitStatus.failure.code
        }
    }
}

/// Answers the first request with the bytes of a file.
private final class FeedTransport: Transport {
    private let bytes: Mutex<[UInt8]?>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let taken = bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
        guard let taken else {
            throw TransportFailure.notSent("the file has one page; load from the service for the others")
        }
        let first = taken.first { $0 > 0x20 && $0 < 0x7F }
        let type = first == UInt8(ascii: "<") ? "application/atom+xml" : "application/json"
        return ServiceResponse(status: 200, headers: [Pair("Content-Type", type)], body: taken)
    }
}
