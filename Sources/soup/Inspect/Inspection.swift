import JSONText
import OfflineStore
import Platform
import Soups

/// Answers the question of one `soup inspect`.
final class Inspection {
    let command: InspectCommand
    let opened: InspectedStore
    /// Whether anything is damaged, as far as this question touches it.
    var hasFindings = false

    var store: SmartStore { opened.store }

    init(command: InspectCommand, opened: InspectedStore) {
        self.command = command
        self.opened = opened
    }

    func run(_ subject: InspectCommand.Subject) throws {
        switch subject {
        case .overview: try overview()
        case .soups: try soups()
        case .count: try count()
        case .show: try show()
        case .sql: try sql()
        case .export: try export()
        case .check: try check()
        case .sizes: try sizes()
        case .pending: try pending()
        case .settings: try settings()
        case .kv: try keys()
        case .syncs: try syncs()
        }
    }

    /// Writes rows of one shape.
    func rows(_ columns: [String], _ body: (RowOutput) throws -> Void) throws {
        let output = RowOutput(command.output.chosen)
        try output.begin(columns)
        try body(output)
        try output.end()
    }

    /// How a fault ends the command. After a damaged page SQLCipher calls everything in the same state a logic error.
    func end(of fault: Fault) -> ExitStatus {
        hasFindings && fault.code == .sqlError ? .failure : InspectEnd.whileReading(fault)
    }

    /// Reads a part; what cannot be read is a finding, and said on standard error.
    func part<R>(_ what: String, _ work: () throws(Fault) -> R) throws(Fault) -> R? {
        do throws(Fault) {
            return try work()
        } catch {
            guard end(of: error) == .failure else {
                throw error
            }
            hasFindings = true
            StandardError.say("soup inspect: \(what) cannot be read [\(error.code.rawValue)]")
            return nil
        }
    }

    // MARK: - Entries

    private func count() throws {
        let spec = try command.where.map(Self.spec) ?? .all()
        let count = try store.read { reader in try reader.count(spec, in: command.object ?? "") }
        try rows(["count"]) { try $0.add([.value(.integer(Int64(count)))]) }
    }

    private func show() throws {
        let soup = command.object ?? ""
        guard command.id.isEmpty else {
            try store.read { reader in
                for id in command.id {
                    let entry = try part("the entry \(id)") { () throws(Fault) in
                        try reader.retrieve(id: id, from: soup)
                    }
                    if let entry, let entry {
                        try show(entry[...])
                    }
                }
            }
            return
        }
        let spec = try command.query.map(Self.spec) ?? .all()
        var shown = 0
        guard command.limit > 0 else { return }
        try store.read { reader in
            try reader.forEach(spec, in: soup) { entry in
                try show(entry.withBytes { Array($0) }[...])
                shown += 1
                return shown < command.limit ? .next : .stop
            }
        }
    }

    private func show(_ entry: ArraySlice<UInt8>) throws(Fault) {
        try StoredEntry.check(Array(entry))
        try ResultStream.write(Array((InspectText.entry(entry, pretty: command.output.pretty) + "\n").utf8))
    }

    private static func spec(_ text: String) throws(Fault) -> QuerySpec {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: text)
        } catch {
            throw Fault(.invalidQuerySpec, "the query spec is not JSON: \(error.message)", offset: error.offset)
        }
        return try QuerySpec(json: json)
    }

    private func sql() throws {
        let output = RowOutput(command.output.chosen)
        try store.read { reader in
            try reader.forEachRow(
                command.object ?? "", arguments: command.arg.map(Self.value), isRaw: command.raw,
                columns: { (names) throws(Fault) in try output.begin(names) },
                { (cells) throws(Fault) in
                    try output.add(cells)
                    return true
                })
        }
        try output.end()
    }

    /// A number or null in JSON; anything else is text.
    private static func value(_ text: String) -> SQLValue {
        if let integer = Int64(text) {
            return .integer(integer)
        }
        if text == "null" {
            return .null
        }
        if let json = try? JSONValue(parsing: text) {
            if let string = json.string {
                return .text(string)
            }
            if case .number = json, let real = Double(text) {
                return .real(real)
            }
        }
        return .text(text)
    }

    private func export() throws {
        let soup = command.object ?? ""
        var write: ([UInt8]) throws(Fault) -> Void = ResultStream.write
        var finish: () throws(Fault) -> Void = {}
        if let path = command.output.output {
            let writer = try Self.newFile(path)
            write = { (line) throws(Fault) in
                try Self.written(path) { () throws(SystemError) in try writer.write(line) }
            }
            finish = { () throws(Fault) in try Self.written(path) { () throws(SystemError) in try writer.finish() } }
        }
        let systemFields = !command.withoutSystemFields
        if command.salvage {
            let salvage = try store.salvage(soup: soup, systemFields: systemFields, write)
            try finish()
            let missing = salvage.isExact ? "\(salvage.missing)" : "at most \(salvage.missing)"
            StandardError.say("soup inspect: \(salvage.read) entries read, \(missing) missing")
            hasFindings = hasFindings || salvage.missing > 0
            return
        }
        try store.read { reader in try reader.forEachLine(of: soup, systemFields: systemFields, write) }
        try finish()
    }

    /// A new file for its owner only; one that is there stays.
    private static func newFile(_ path: String) throws(Fault) -> FileWriter {
        do {
            try File.create(path)
            return try FileWriter(path)
        } catch {
            throw Fault(.invalidArguments, "cannot create \(path): give the path of a new file")
        }
    }

    private static func written(_ path: String, _ work: () throws(SystemError) -> Void) throws(Fault) {
        do { try work() } catch {
            throw Fault(.diskFull, "\(path) cannot be written: \(error.description)")
        }
    }
}
