import ArgumentParser
import JSONText
import LoopbackHTTP
import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups

/// `soup sync`: brings records of a service on this machine into a store.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Brings records of a service on this machine into a store.",
        discussion: """
            Examples:
              soup mock --port 8080 --data records.json
              soup sync down --port 8080 --store app.db --soup accounts 'select Name from Account'

            \(ExitStatus.help(success: "success", failure: "a sync that failed or was stopped"))
            """,
        subcommands: [Down.self])

    struct Down: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Saves what a query finds in a soup; the second time only what has changed.",
            discussion: """
                The service is one on 127.0.0.1 without TLS, such as that of soup mock. The soup is created if necessary, with indexes \
                on Id, __local__ and __sync_id__. The sync is kept under its name in the store: a run with the same name goes on where \
                the one before has ended, however it ended. Each update is a line: status, percent, number of records.

                Examples:
                  soup sync down --port 8080 --store app.db --soup accounts 'select Name from Account'
                  soup sync down --port 8080 --store app.db --soup accounts --name accounts --clean-ghosts

                \(ExitStatus.help(success: "done", failure: "the sync failed or was stopped; the last line says why"))
                """)

        @Option(help: "The port of the service on 127.0.0.1.")
        var port: UInt16

        @Option(help: "The file of the store; it is created if necessary.")
        var store: String

        @Option(help: "The soup of the records.")
        var soup: String

        @Option(help: "The name of the sync.")
        var name = "down"

        @Option(help: "The number of records on a page, from 200 to 2000.")
        var pageSize = 2_000

        @Option(help: "The back end: plain or cipher-off.")
        var backend = "plain"

        @Flag(help: "Leaves rows that were changed locally as they are; else they are replaced.")
        var leaveIfChanged = false

        @Flag(help: "Removes rows afterwards that the service no longer has.")
        var cleanGhosts = false

        @Argument(help: "The SOQL query of a new sync; a sync that exists keeps its own.")
        var query: String?

        func validate() throws {
            guard let backEnd = BackEnd(rawValue: backend), !backEnd.isKeyed else {
                throw ValidationError("unknown back end \(backend); use plain or cipher-off")
            }
        }

        func run() async throws {
            guard let backEnd = BackEnd(rawValue: backend) else { return }
            let store = try SmartStore(path: store, options: StoreOptions(library: try backEnd.library()))
            try await store.registerSoup(
                soup, indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__")])
            let manager = try SyncManager(store: store, transport: LoopbackTransport(port: port))
            let state = try await sync(manager)
            var summary =
                "\(state.summary.fetched) records fetched, \(state.summary.saved) saved, \(state.summary.skipped) skipped, \(state.summary.requests) requests"
            if cleanGhosts, state.status == .done {
                summary += ", \(try await manager.cleanResyncGhosts(.name(name))) ghosts removed"
            }
            print(summary)
            await manager.close()
            try store.close()
            guard state.status == .done else {
                StandardError.say(state.error.isEmpty ? "the sync was stopped" : state.error)
                throw ExitStatus.failure.code
            }
        }

        private func sync(_ manager: SyncManager) async throws -> SyncState {
            if try await manager.hasSync(named: name) {
                return try await manager.reSync(.name(name), observer: Self.show)
            }
            guard let query else {
                throw ValidationError("the store has no sync \(name); give the query of a new one")
            }
            let target: JSONObject = [
                "type": "soql", "query": .string(query), "maxBatchSize": .number(JSONNumber(Int64(pageSize))),
            ]
            return try await manager.sync(
                .down, target: target, soup: soup,
                options: SyncOptions(mergeMode: leaveIfChanged ? .leaveIfChanged : .overwrite), name: name,
                observer: Self.show)
        }

        @Sendable private static func show(_ state: SyncState) {
            print("\(state.status.rawValue) \(state.progress) % of \(state.totalSize)")
        }
    }
}
