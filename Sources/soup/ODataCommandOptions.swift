import ArgumentParser
import LoopbackHTTP
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import ServiceTransport
import Soups

/// The options that all commands about the entity sets of a service in a store have.
struct ODataCommandOptions: ParsableArguments {
    @Option(help: "The metadata document of the service.")
    var metadata: String?

    @Option(
        help: "The version of OData: 1.0, 2.0, 3.0, 4.0 or 4.01. (default: 4.0)", transform: ODataCommand.version)
    var version: ODataVersion = .v4

    @Option(
        help: "The format of requests and answers: json, verbosejson or atom. (default: json)",
        transform: OptionWord.read)
    var format: ODataChangeRequest.Format = .json

    @Option(help: "A key property of every set, for services without metadata.")
    var key: [String] = []

    @Option(
        help:
            "What happens to a row that was changed here and on the service: keep, mine, theirs or merge. (default: keep)",
        transform: OptionWord.read)
    var conflict: ConflictRule = .keep

    @Option(
        help: "What happens to an insert whose answer was lost: hold or resend. (default: hold)",
        transform: OptionWord.read)
    var doubt: LostInsertRule = .hold

    @Flag(help: "Gives new entities a UUID as their key, so that an insert can be repeated.")
    var makesKeys = false

    @OptionGroup
    var backEnd: BackEndOption

    func validate() throws {
        guard metadata != nil || !key.isEmpty else {
            throw ValidationError("name the metadata with --metadata, or the key of the set with --key")
        }
    }

    /// Opens a store; it is created if necessary, unless a new one would be of no use.
    func store(_ path: String, creating: Bool = true) throws -> SmartStore {
        try SmartStore(path: path, options: try backEnd.options(creating ? .create : .readWrite))
    }

    /// A client of a service for all sets of the metadata, or, without metadata, for some sets.
    func client(
        _ store: SmartStore, root: String, _ transport: any Transport, sets names: [String] = [], pageSize: Int? = nil,
        events: (@Sendable (ODataClientEvent) -> Void)? = nil
    ) throws -> ODataClient {
        let model = try metadata.map { try ODataCommand.model(in: $0) }
        var settings = EntitySetSettings()
        settings.key = key
        settings.conflict = conflict
        settings.doubt = doubt
        settings.makesKeys = makesKeys
        let known = model?.schemas.flatMap(\.containers).flatMap(\.entitySets).map(\.name) ?? names
        let sets = Dictionary(known.map { ($0, settings) }) { first, _ in first }
        var options = ODataClientOptions()
        options.format = format
        options.pageSize = pageSize
        options.events = events
        return try ODataClient(
            store, serviceRoot: root, transport: transport,
            map: try EntitySetMap(model: model, version: version, sets: sets), options: options)
    }

    /// The port of a URL on this machine. Throws for another one.
    static func port(of url: String) throws -> UInt16 {
        for host in ["http://127.0.0.1:", "http://localhost:"] where url.hasPrefix(host) {
            let digits = url.dropFirst(host.utf8.count).prefix { $0 != "/" }
            if let port = UInt16(digits) {
                return port
            }
        }
        // Not quoted: it may have a password.
        throw ValidationError("the URL is not a service of this machine; give http://127.0.0.1:PORT/ROOT/")
    }
}
