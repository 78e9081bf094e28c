import ArgumentParser
import JSONText
import OfflineOData
import OfflineStore
import ServiceTransport
import Soups

/// `soup odata edit`: changes entities in a store as an app does.
struct ODataEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes entities locally, for a later push.",
        discussion: """
            The file has a JSON object in each line: {"set": SET, "create": {...}}, {"set": SET, "update": KEY, "changes": {...}} or \
            {"set": SET, "delete": KEY}. KEY is a value, an object with the parts of the key, or the local id of an entity that was \
            created here. The key of each changed row is a line of the output. A change that cannot be made ends the command; those \
            before it are kept.

            Examples:
              soup odata edit app.db changes.jsonl --metadata metadata.xml
              echo '{"set": "Products", "create": {"Name": "Tea"}}' | soup odata edit app.db - --metadata metadata.xml

            \(ExitStatus.help(success: "changed", failure: "a change cannot be made; the last line says why"))
            """)

    @OptionGroup var common: ODataCommandOptions

    @Argument(help: "The file of the store; it is created if necessary.") var store: String
    @Argument(help: "The file of changes; - is standard input.") var file: String

    func run() async throws {
        let changes = ChangeLines.read(try FileBytes.all(of: file))
        if let wrong = changes.first(where: { $0.change?["set"]?.string == nil }) {
            throw ValidationError("line \(wrong.number) is not a JSON object with a set")
        }
        let sets = Set(changes.compactMap { $0.change?["set"]?.string })
        let store = try common.store(store)
        try await TextReport.awaiting {
            let client = try common.client(
                store, root: "http://nowhere.invalid/", ODataEditCommand.Unconnected(), sets: sets.sorted())
            try Self.makeAll(changes, client)
        }
        try await store.close()
    }

    /// Makes the changes in their order, and prints the key of each row.
    private static func makeAll(_ changes: [(number: Int, change: JSONObject?)], _ client: ODataClient) throws {
        for (number, change) in changes {
            guard let change, let set = change["set"]?.string else { continue }
            print(try make(change, set, client, line: number))
        }
    }

    /// Makes a change, and returns the key of the row.
    private static func make(
        _ change: JSONObject, _ set: String, _ client: ODataClient, line: Int
    ) throws -> String {
        if let entity = change["create"]?.object {
            return try client.create(set, entity)["__key__"]?.string ?? ""
        }
        let row: JSONObject? =
            switch try ChangeLines.named(in: change, line: line) {
            case .delete(let key): try client.delete(set, .key(key))
            case .update(let key, let changes): try client.update(set, .key(key), changes)
            }
        return row?["__key__"]?.string ?? ""
    }

    /// Sends nothing: for commands that only look at a store.
    struct Unconnected: Transport {
        func send(_ request: ServiceRequest) async throws -> ServiceResponse {
            throw TransportFailure.notSent("this command has no connection")
        }
    }
}
