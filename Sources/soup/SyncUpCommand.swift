import ArgumentParser
import JSONText
import LoopbackHTTP
import OfflineStore
import OfflineSync
import SQLiteAccess
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

                \(ExitStatus.help(success: "done", failure: "the sync failed or was stopped; the last line says why"))
                """)

        @OptionGroup var place: SyncPlaceOptions

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
            let store = try place.open()
            let manager = try SyncManager(store: store, transport: LoopbackTransport(port: port))
            let state = try await sync(manager)
            let done = state.summary
            print(
                "\(done.pushed) sent, \(done.created) of them created, \(done.refused) refused, \(done.left) left, \(done.applied) there already, \(done.held) held, \(done.requests) requests"
            )
            await manager.close()
            try await store.close()
            guard state.status == .done else {
                StandardError.say(state.error.isEmpty ? "the sync was stopped" : state.error)
                throw ExitStatus.failure.code
            }
        }

        private func sync(_ manager: SyncManager) async throws -> SyncState {
            if try await manager.hasSync(named: name) {
                return try await manager.reSync(.name(name), observer: SyncCommand.show)
            }
            guard let definition = (try? JSONValue(parsing: target))?.object else {
                throw ValidationError("the target is no JSON object")
            }
            let list = fields.map { $0.split(separator: ",").map(String.init) }
            return try await manager.sync(
                .up, target: definition, soup: place.soup,
                options: SyncOptions(mergeMode: leaveIfChanged ? .leaveIfChanged : .overwrite, fieldlist: list),
                name: name, observer: SyncCommand.show)
        }
    }

    @Sendable static func show(_ state: SyncState) {
        print("\(state.status.rawValue) \(state.progress) % of \(state.totalSize)")
    }
}

/// Where the rows of a command are.
struct SyncPlaceOptions: ParsableArguments {
    @Option(help: "The file of the store; it is created if necessary.")
    var store: String

    @Option(help: "The soup of the rows.")
    var soup: String

    @Option(help: "The back end: plain or cipher-off.")
    var backend = "plain"

    func validate() throws {
        guard let backEnd = BackEnd(rawValue: backend), !backEnd.isKeyed else {
            throw ValidationError("unknown back end \(backend); use plain or cipher-off")
        }
    }

    func open() throws -> SmartStore {
        let backEnd = BackEnd(rawValue: backend) ?? .plain
        return try SmartStore(path: store, options: StoreOptions(library: try backEnd.library()))
    }
}
