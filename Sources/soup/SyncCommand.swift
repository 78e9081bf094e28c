import ArgumentParser
import JSONText
import LoopbackHTTP
import OfflineStore
import OfflineSync
import Soups

/// `soup sync`: keeps records of a service on this machine and a store in step.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Keeps records of a service on this machine and a store in step.",
        discussion: """
            Examples:
              soup mock --port 8080 --data records.json
              soup sync down --port 8080 --store app.db --soup accounts 'select Name from Account'
              soup sync edit --store app.db --soup accounts changes.jsonl
              soup sync up --port 8080 --store app.db --soup accounts --fields Name

            \(ExitStatus.help(success: "success", failure: "a sync that failed or was stopped"))
            """,
        subcommands: [Down.self, Up.self, Edit.self, Resolve.self])

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
                  soup sync down --port 8080 --store app.db --soup accounts --target '{"type": "mru", "sobjectType": "Account", "fieldlist": ["Name"]}'

                \(ExitStatus.help(success: "done", failure: "the sync failed or was stopped; the last line says why"))
                """)

        @OptionGroup var rows: SyncSoupOptions

        @Option(help: "The port of the service on 127.0.0.1.")
        var port: UInt16

        @Option(help: "The name of the sync.")
        var name = "down"

        @Option(help: "The number of records on a page, from 200 to 2000.")
        var pageSize = 2_000

        @Flag(help: "Leaves rows that were changed locally as they are; else they are replaced.")
        var leaveIfChanged = false

        @Flag(help: "Removes rows afterwards that the service no longer has.")
        var cleanGhosts = false

        @Option(help: "The target of a new sync as JSON, in place of a query. The soups that it names are created too.")
        var target: String?

        @Argument(help: "The SOQL query of a new sync; a sync that exists keeps its own.")
        var query: String?

        func validate() throws {
            guard query == nil || target == nil else {
                throw ValidationError("give a query or a target, not both")
            }
            guard (200...2_000).contains(pageSize) else {
                throw ValidationError("--page-size must be from 200 to 2000")
            }
        }

        func run() async throws {
            let store = try rows.open()
            try await register(store)
            let manager = try SyncManager(store: store, transport: LoopbackTransport(port: port))
            let state = try await sync(manager)
            var summary =
                "\(state.summary.fetched) records fetched, \(state.summary.saved) saved, \(state.summary.skipped) skipped, \(state.summary.requests) requests"
            if cleanGhosts, state.status == .done {
                summary += ", \(try await manager.cleanResyncGhosts(.name(name))) ghosts removed"
            }
            print(summary)
            try await SyncCommand.end(state, manager, store)
        }

        private func sync(_ manager: SyncManager) async throws -> SyncState {
            if let state = try await SyncCommand.runAgain(name, manager) {
                return state
            }
            guard let target = try definition() else {
                throw ValidationError("the store has no sync \(name); give the query or the target of a new one")
            }
            return try await manager.sync(
                .down, target: target, soup: rows.soup,
                options: SyncOptions(mergeMode: leaveIfChanged ? .leaveIfChanged : .overwrite), name: name,
                observer: SyncCommand.show)
        }

        /// The target of a new sync; nil if none is given.
        private func definition() throws -> JSONObject? {
            if let target {
                guard let json = try? JSONValue(parsing: target), let object = json.object else {
                    throw ValidationError("the target is not a JSON object")
                }
                return object
            }
            return query.map { query in
                ["type": "soql", "query": .string(query), "maxBatchSize": .number(JSONNumber(Int64(pageSize)))]
            }
        }

        /// Creates the soups of the sync, those of trees with an index on the ids of parents.
        private func register(_ store: SmartStore) async throws {
            let specs: [IndexSpec] = [.string("Id"), .string("__local__"), .integer("__sync_id__")]
            try await store.registerSoup(rows.soup, indexSpecs: specs)
            let target = try definition()
            for part in [target, target?["parent"]?.object, target?["children"]?.object] {
                guard let name = part?["soupName"]?.string else { continue }
                let parentId = part?["parentIdFieldName"]?.string
                try await store.registerSoup(name, indexSpecs: specs + (parentId.map { [.string($0)] } ?? []))
            }
        }
    }
}
