import ArgumentParser
import JSONText
import LoopbackHTTP
import OfflineOData
import OfflineStore
import Soups

/// `soup odata push`: sends local changes of entities.
struct ODataPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Sends local changes of entities to their service.",
        discussion: """
            The service is one on this machine without TLS, such as that of soup mock odata. Each change is a line: set, entry id, \
            operation, what became of it. With --plan the requests are printed and nothing is sent. A row that is held, because it is \
            not known whether its entity was created, is decided with soup odata resolve.

            Examples:
              soup odata push app.db http://127.0.0.1:8080/odata/ --metadata metadata.xml
              soup odata push app.db http://127.0.0.1:8080/odata/ --metadata metadata.xml --mode batch --conflict merge
              soup odata push app.db http://127.0.0.1:8080/odata/ --metadata metadata.xml --plan

            \(ExitStatus.help(success: "done", failure: "the push failed or was stopped; the last line says why",
                usage: "a store that does not exist"))
            """)

    @OptionGroup var common: ODataCommandOptions

    @Option(help: "How changes are sent: single or batch. (default: single)", transform: OptionWord.read)
    var mode: PushMode = .single

    @Option(help: "The most changes in a batch.")
    var batchSize = 100

    @Flag(help: "Prints the requests as JSON, and sends nothing.")
    var plan = false

    @Argument(help: "The file of the store.") var store: String
    @Argument(help: "The URL of the service.") var service: String
    @Argument(help: "The entity sets; all of the metadata by default.") var sets: [String] = []

    func validate() throws {
        guard batchSize > 0 else {
            throw ValidationError("--batch-size must be at least 1")
        }
    }

    func run() async throws {
        let transport = LoopbackTransport(port: try ODataCommandOptions.port(of: service))
        let store = try common.store(store, creating: false)
        let result: PushResult? = try await TextReport.awaiting {
            let client = try common.client(store, root: service, transport, sets: sets)
            let chosen = sets.isEmpty ? nil : sets
            guard !plan else {
                for request in try await client.plan(chosen, mode: mode) {
                    let line: JSONValue = [
                        "method": .string(request.method), "url": .string(request.url),
                        "body": request.body.map { (try? JSONValue(parsing: $0)) ?? .string($0) } ?? .null,
                    ]
                    print(line.text())
                }
                return nil
            }
            return try await client.push(chosen, mode: mode, batchSize: batchSize)
        }
        for outcome in result?.outcomes ?? [] {
            let reason = outcome.error?["message"]?.string.map { ": " + $0 } ?? ""
            let change = "\(outcome.entitySet) \(outcome.entryId) \(outcome.operation.rawValue)"
            print("\(change) \(outcome.kind.rawValue)\(reason)")
        }
        try await store.close()
        if let result, result.status != .done {
            StandardError.say(result.fault?.description ?? "the push was stopped")
            throw ExitStatus.failure.code
        }
    }
}
