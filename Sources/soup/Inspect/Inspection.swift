import JSONText
import OfflineStore
import Soups

/// Answers the question of one `soup inspect`.
final class Inspection {
    let command: InspectCommand
    let opened: InspectedStore
    /// Where the result goes.
    let sink: ResultSink
    /// Whether anything is damaged, as far as this question touches it.
    var hasFindings = false

    var store: SmartStore { opened.store }

    init(command: InspectCommand, opened: InspectedStore) {
        self.command = command
        self.opened = opened
        sink = ResultSink(path: command.output.output)
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
        let output = RowOutput(command.output.chosen, sink)
        try output.begin(columns)
        try body(output)
        try output.end()
    }

    /// How a fault ends the command.
    func end(of fault: Fault) -> ExitStatus {
        if fault == sink.failure {
            return .notValid
        }
        // What this program asks itself can only be wrong in a store that is. After a damaged page SQLCipher calls
        // everything in the same state a logic error.
        let isUsersText =
            command.subject == InspectCommand.Subject.sql.rawValue || command.where != nil || command.query != nil
        return fault.code == .sqlError && (hasFindings || !isUsersText) ? .failure : InspectEnd.whileReading(fault)
    }

    /// Reads a part with a text of this program; what cannot be read is a finding, which is printed to standard error.
    func part<R>(_ what: String, _ work: () throws(Fault) -> R) throws(Fault) -> R? {
        do throws(Fault) {
            return try work()
        } catch {
            guard error != sink.failure, error.code == .sqlError || end(of: error) == .failure else {
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

    static func spec(_ text: String) throws(Fault) -> QuerySpec {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: text)
        } catch {
            throw Fault(.invalidQuerySpec, "the query spec is not JSON: \(error.message)", offset: error.offset)
        }
        return try QuerySpec(json: json)
    }

    private func sql() throws {
        let output = RowOutput(command.output.chosen, sink)
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
        // A text of digits with a zero, a plus or a blank before them is not a number of JSON.
        guard let json = try? JSONValue(parsing: text), json.string != nil || !text.utf8.contains(where: { $0 <= 0x20 })
        else {
            return .text(text)
        }
        switch json {
        case .null: return .null
        case .string(let string): return .text(string)
        case .number(let number): return Int64(number.text).map { .integer($0) } ?? .real(number.double)
        default: return .text(text)
        }
    }

    private func export() throws {
        let soup = command.object ?? ""
        let systemFields = !command.withoutSystemFields
        guard command.salvage else {
            do {
                try store.read { reader in
                    try reader.forEachLine(of: soup, systemFields: systemFields) { (line) throws(Fault) in
                        try sink.write(line)
                    }
                }
            } catch {
                sink.discard()
                throw error
            }
            return try sink.finish()
        }
        let salvage = try store.salvage(soup: soup, systemFields: systemFields) { (line) throws(Fault) in
            try sink.write(line)
        }
        try sink.finish()
        let missing = salvage.isExact ? "\(salvage.missing)" : "at most \(salvage.missing)"
        StandardError.say("soup inspect: \(salvage.read) entries read, \(missing) missing")
        hasFindings = hasFindings || salvage.missing > 0
    }
}
