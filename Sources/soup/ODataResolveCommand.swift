import ArgumentParser
import JSONText
import OfflineOData
import OfflineStore
import Soups

/// `soup odata resolve`: decides about inserts in doubt.
struct ODataResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Lists inserts whose answer was lost, or decides about one.",
        discussion: """
            Without --entry each insert in doubt is a line: the entry id of its row, a tab, and what was sent. With --entry the insert \
            of that row is decided: it was made under the key of --created-as, or it was not made.

            Examples:
              soup odata resolve app.db Products --metadata metadata.xml
              soup odata resolve app.db Products --metadata metadata.xml --entry 7 --created-as 1003

            \(ExitStatus.help(success: "listed or decided", failure: "nothing of that row is in doubt",
                usage: "a store that does not exist"))
            """)

    @OptionGroup var common: ODataCommandOptions

    @Option(help: "The entry id of the row.")
    var entry: Int64?

    @Option(help: "The key under which the service has created the entity, as JSON.")
    var createdAs: String?

    @Argument(help: "The file of the store.") var store: String
    @Argument(help: "The entity set.") var set: String

    func validate() throws {
        guard entry != nil || createdAs == nil else {
            throw ValidationError("--created-as needs the row: give --entry")
        }
    }

    func run() async throws {
        let store = try common.store(store, creating: false)
        try await TextReport.awaiting {
            let client = try common.client(
                store, root: "http://nowhere.invalid/", ODataEditCommand.Unconnected(), sets: [set])
            if let entry {
                let key = createdAs.map { (try? JSONValue(parsing: $0)) ?? .string($0) }
                try client.resolveDoubt(set, entryId: entry, createdAs: key)
            } else {
                for doubt in try client.doubts(set) {
                    print("\(doubt.entryId)\t\(JSONValue.object(doubt.sent).text())")
                }
            }
        }
        try await store.close()
    }
}
