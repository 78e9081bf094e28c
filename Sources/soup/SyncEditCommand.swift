import ArgumentParser
import JSONText
import OfflineStore
import OfflineSync
import Soups

extension SyncCommand {
    /// `soup sync edit`: changes rows as an app does.
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes rows locally, for a later sync up.",
            discussion: """
                The file has a JSON object in each line. {"create": {...}} stores a record, which gets a local id unless it has one; \
                a service creates it as the type in its member attributes.type. \
                {"update": ID, "changes": {...}} changes fields, and {"delete": ID} marks a row as deleted. ID is the text in the member \
                Id. The soup is created if necessary, with indexes on Id, __local__, __sync_id__ and those of --index. All changes \
                are made, or none.

                Examples:
                  echo '{"create": {"attributes": {"type": "Account"}, "Name": "Acme"}}' > changes.jsonl
                  soup sync edit --store app.db --soup accounts changes.jsonl
                  soup sync edit --store app.db --soup contacts --index AccountId /dev/null

                \(ExitStatus.help(success: "changed", failure: "a change cannot be made; the last line says why"))
                """)

        @OptionGroup var rows: SyncSoupOptions

        @Option(help: "A further path with an index, for a soup that is created.")
        var index: [String] = []

        @Argument(help: "The file of changes.")
        var file: String

        func run() async throws {
            let lines = ChangeLines.read(try FileBytes.all(of: file))
            let store = try rows.open()
            let specs: [IndexSpec] = [.string("Id"), .string("__local__"), .integer("__sync_id__")]
            try await store.registerSoup(rows.soup, indexSpecs: specs + index.map { .string($0) })
            let soup = rows.soup
            let count = try await TextReport.awaiting {
                try await store.transaction { _ in
                    let edits = LocalEdits(store, soup: soup)
                    for (number, change) in lines {
                        guard let change else {
                            throw ValidationError("line \(number) is not a JSON object")
                        }
                        try Self.make(change, edits, line: number)
                    }
                    return lines.count
                }
            }
            print("\(count) changes")
            try await store.close()
        }

        private static func make(_ change: JSONObject, _ edits: LocalEdits, line: Int) throws {
            if let record = change["create"]?.object {
                _ = try edits.create(record)
                return
            }
            let named = try ChangeLines.named(in: change, line: line)
            guard let id = named.key.string else {
                throw ValidationError("line \(line): the id of a row must be a text")
            }
            guard let entryId = try edits.store.lookupEntryId(inSoup: edits.soup, path: "Id", value: .text(id)) else {
                throw Fault(
                    .entryNotFound, "line \(line): no row has this Id; nothing was changed",
                    context: [.soup(edits.soup)])
            }
            switch named {
            case .delete: try edits.delete(entryId)
            case .update(_, let changes): _ = try edits.update(entryId, changes: changes)
            }
        }
    }

    /// `soup sync resolve`: decides about creations in doubt.
    struct Resolve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists creations whose answer was lost, or decides about one.",
            discussion: """
                Without --entry each creation in doubt is a line: the entry id of its row, a tab, and what was sent. With --entry the \
                creation of that row is decided: it was made under the id of --created-as, or it was not made.

                Examples:
                  soup sync resolve --store app.db --soup accounts
                  soup sync resolve --store app.db --soup accounts --entry 7 --created-as 001000000000007AAA

                \(ExitStatus.help(success: "listed or decided", failure: "nothing of that row is in doubt",
                usage: "a store that does not exist"))
                """)

        @OptionGroup var rows: SyncSoupOptions

        @Option(help: "The entry id of the row.")
        var entry: Int64?

        @Option(help: "The id of the record on the service.")
        var createdAs: String?

        func validate() throws {
            guard entry != nil || createdAs == nil else {
                throw ValidationError("--created-as needs the row: give --entry")
            }
        }

        func run() async throws {
            let store = try rows.open(creating: false)
            let manager = try SyncManager(store: store, transport: NoTransport())
            if let entry {
                let doubt = createdAs.map { Doubt.wasCreated(id: $0) } ?? .wasNotCreated
                _ = try await TextReport.awaiting {
                    try await manager.resolveDoubt(doubt, soup: rows.soup, entryId: entry)
                }
            } else {
                for doubt in try await manager.pendingDoubts(inSoup: rows.soup) {
                    print("\(doubt.entryId)\t\(JSONValue.object(doubt.sent).text())")
                }
            }
            await manager.close()
            try await store.close()
        }
    }
}

/// Sends nothing: for commands that only look at a store.
private struct NoTransport: Transport {
    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        throw TransportFailure.notSent("this command has no connection")
    }
}
