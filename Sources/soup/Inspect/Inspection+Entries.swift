import OfflineStore
import Soups

/// `soup inspect STORE show SOUP`: entries as lines of JSON, or in the format that is asked for.
extension Inspection {
    func show() throws {
        switch command.output.named {
        case nil, .jsonl:
            try forEachShown { (_, entry) throws(Fault) in try sink.write(text(entry) + "\n") }
        case .json:
            var count = 0
            try forEachShown { (_, entry) throws(Fault) in
                try sink.write((count == 0 ? "[\n" : ",\n") + text(entry))
                count += 1
            }
            try sink.write(count == 0 ? "[]\n" : "\n]\n")
        case .table, .csv:
            try rows(["id", "entry"]) { output in
                try forEachShown { (id, entry) throws(Fault) in
                    try output.add([.value(.integer(id)), .value(.text(text(entry)))])
                }
            }
        }
    }

    private func text(_ entry: [UInt8]) -> String { InspectText.entry(entry, pretty: command.output.pretty) }

    /// Gives the entries that the command asks for: those of the ids, or those that a query finds.
    private func forEachShown(_ body: (_ id: Int64, _ entry: [UInt8]) throws(Fault) -> Void) throws {
        let soup = command.object ?? ""
        guard command.id.isEmpty else {
            return try store.read { reader in
                for id in command.id {
                    let found = try part("the entry \(id)") { () throws(Fault) in
                        let entry = try reader.retrieve(id: id, from: soup)
                        if let entry {
                            try StoredEntry.check(entry)
                        }
                        return entry
                    }
                    if let found, let entry = found {
                        try body(id, entry)
                    }
                }
            }
        }
        let spec = try command.query.map(Self.spec) ?? .all()
        guard command.limit > 0 else { return }
        var shown = 0
        try store.read { reader in
            try reader.forEach(spec, in: soup) { entry in
                let bytes = entry.withBytes { Array($0) }
                try StoredEntry.check(bytes)
                try body(entry.id, bytes)
                shown += 1
                return shown < command.limit ? .next : .stop
            }
        }
    }
}
