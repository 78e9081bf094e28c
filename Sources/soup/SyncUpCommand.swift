import ArgumentParser
import JSONText
import LoopbackHTTP
import OfflineStore
import OfflineSync
import Soups

extension SyncCommand {
    /// `soup sync up`: sends local changes of a soup.
    struct Up: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends the rows of a soup that were changed locally.",
            discussion: """
                The service is one on 127.0.0.1 without TLS, such as that of soup mock. The sync is kept under its name in the store; a \
                run with the same name has its target and options. Each update is a line: status, percent, number of rows. A row that \
                is held, because it is not known whether its record was created, is decided with soup sync resolve.

                Examples:
                  soup sync up --port 8080 --store app.db --soup accounts --fields Name,Phone
                  soup sync up --port 8080 --store app.db --soup accounts --fields Name --target '{"swiftImpl": "composite"}'

                \(ExitStatus.help(success: "done", failure: "the sync failed or was stopped; the last line says why",
                usage: "a store that does not exist"))
                """)

        @OptionGroup var rows: SyncSoupOptions

        @Option(help: "The port of the service on 127.0.0.1.")
        var port: UInt16

        @Option(help: "The name of the sync.")
        var name = "up"

        @Option(help: "The fields to send, with commas between them, where the target names no others.")
        var fields: String?

        @Option(help: "The definition of the target, as JSON.")
        var target = "{}"

        @Flag(help: "Leaves rows whose records are newer on the service; else these are overwritten.")
        var leaveIfChanged = false

        func run() async throws {
            let store = try rows.open(creating: false)
            let manager = try SyncManager(store: store, transport: LoopbackTransport(port: port))
            let state = try await sync(manager)
            let done = state.summary
            print(
                "\(done.pushed) sent, \(done.created) of them created, \(done.refused) refused, \(done.left) left, \(done.applied) there already, \(done.held) held, \(done.requests) requests"
            )
            try await SyncCommand.end(state, manager, store)
        }

        private func sync(_ manager: SyncManager) async throws -> SyncState {
            if let state = try await SyncCommand.runAgain(name, manager) {
                return state
            }
            guard let definition = (try? JSONValue(parsing: target))?.object else {
                throw ValidationError("the target is not a JSON object")
            }
            let list = fields.map { $0.split(separator: ",").map(String.init) }
            return try await manager.sync(
                .up, target: definition, soup: rows.soup,
                options: SyncOptions(mergeMode: leaveIfChanged ? .leaveIfChanged : .overwrite, fieldlist: list),
                name: name, observer: SyncCommand.show)
        }
    }
}
