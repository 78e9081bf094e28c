import ArgumentParser
import OfflineStore
import Soups

/// `soup inspect`: looks into a store without changing anything.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows what is in a store, plain or encrypted, without changing a byte of its folder.",
        discussion: """
            Examples:
              soup inspect app.db                                   soups, sizes, what is pending
              soup inspect app.db soups contacts                    indexes of a soup, with counts
              soup inspect app.db count contacts --where '{"queryType": "exact", "indexPath": "name", "matchKey": "Ada"}'
              soup inspect app.db show contacts --id 1 --id 2 --pretty
              soup inspect app.db sql 'select {contacts:name} from {contacts}' --format csv
              soup inspect app.db sql 'select name from sqlite_master' --raw
              soup inspect app.db export contacts --output contacts.jsonl
              soup inspect damaged.db export contacts --salvage     what can be read, entry by entry
              soup inspect app.db check                             ends with 1 if anything is damaged
              soup inspect secret.db --key-file key --cipher mobile-sdk
              soup inspect users/ada/stores/contacts sizes          the folder of a store
            Other words: pending, settings, kv (the keys of a key-value store), syncs.

            A key is never in the arguments or the environment, where others can see it: it comes from a file, an open \
            descriptor, or the terminal. Exactly 32 bytes are a raw key; anything else is a passphrase, of which one final line \
            feed is left out. Without --cipher the usual settings of this library and of Mobile SDK are tried in turn.

            A store that another process has open is refused, unless --live reads it with the locks of SQLite, which makes \
            files. What a crash left in the -wal is read too, unless --ignore-wal leaves it out.

            \(ExitStatus.help(
                    success: "done", failure: "the store has findings, or parts of it cannot be read",
                    usage: "no such soup, index or column", notValid: "the store cannot be opened, or the result not written",
                    undecided: "the key is wrong or missing", interrupted: true))
            """)

    /// What is shown.
    enum Subject: String, CaseIterable {
        case overview, soups, count, show, sql, export, check, sizes, pending, settings, kv, syncs

        /// What the argument after it is; nil if there is none.
        var object: String? {
            switch self {
            case .count, .show, .export: "a soup"
            case .sql: "a text"
            case .soups, .kv: "a name"
            default: nil
            }
        }

        var needsObject: Bool { [.count, .show, .export, .sql].contains(self) }
    }

    @Argument(help: "The database file, or a folder that holds one.")
    var store: String

    @Argument(
        help: "What to show: overview, soups, count, show, sql, export, check, sizes, pending, settings, kv or syncs.")
    var subject = Subject.overview.rawValue

    @Argument(help: "The soup, or the text of sql.")
    var object: String?

    @OptionGroup(title: "Opening") var opening: InspectOpening
    @OptionGroup(title: "Output") var output: InspectOutputOptions

    @Option(help: "For count: a query spec as JSON.")
    var `where`: String?

    @Option(help: "For show: a query spec as JSON.")
    var query: String?

    @Option(help: "For show: the id of an entry; may be repeated.")
    var id: [Int64] = []

    @Option(help: "For show: the number of entries at most.")
    var limit = 20

    @Option(help: "For sql: the value of a question mark, as a JSON number, null or text; may be repeated.")
    var arg: [String] = []

    @Flag(help: "For sql: any SELECT over the tables of the file, in place of Smart SQL.")
    var raw = false

    @Flag(help: "For export: reads what can be read of a damaged soup, and says how much is missing.")
    var salvage = false

    @Flag(help: "For export: leaves out the id and the date of each entry.")
    var withoutSystemFields = false

    @Flag(help: "For check: only the structure, tables, columns and whether files are there.")
    var quick = false

    /// Why a key in the arguments is refused, before anything of them is repeated; nil if there is none.
    static func refusal(of arguments: ArraySlice<String>) -> String? {
        let options = ["--key", "--password", "--passphrase"]
        let isThere = arguments.contains { argument in
            options.contains { argument == $0 || argument.hasPrefix($0 + "=") }
        }
        guard isThere, arguments.first == configuration.commandName else { return nil }
        return "others can see a key in the arguments: give --key-file, --key-fd or --key-hex-fd"
    }

    func validate() throws {
        guard let subject = Subject(rawValue: subject) else {
            // Not quoted: it may be a key that was given to an option of another program.
            throw ValidationError(
                "the word after the store is unknown: use \(Subject.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard object != nil || !subject.needsObject else {
            throw ValidationError("\(subject.rawValue) needs \(subject.object ?? "a name")")
        }
        guard object == nil || subject.object != nil else {
            throw ValidationError("\(subject.rawValue) takes nothing after it")
        }
        guard output.output == nil || subject == .export else {
            throw ValidationError("--output is for export: send the result of \(subject.rawValue) to a file with >")
        }
        guard limit >= 0 else {
            throw ValidationError("the limit must not be negative")
        }
    }

    func run() throws {
        let opened = try InspectedStore(store, opening, salvages: salvage)
        defer { opened.close() }
        let inspection = Inspection(command: self, opened: opened)
        do {
            try inspection.run(Subject(rawValue: subject) ?? .overview)
        } catch let fault as Fault {
            StandardError.say("Error: \(fault.messageWithFacts) [\(fault.code.rawValue)]")
            throw inspection.end(of: fault).code
        }
        if inspection.hasFindings {
            throw ExitStatus.failure.code
        }
    }
}

/// How faults end this command.
enum InspectEnd {
    /// A store that cannot be opened.
    static func whileOpening(_ fault: Fault) -> ExitStatus {
        switch fault.code {
        case .wrongKey, .keyMissing, .notEncrypted, .invalidKey: .undecided
        case .invalidArguments: .usageError
        default: .notValid
        }
    }

    /// A store that is open: what is damaged is a finding.
    static func whileReading(_ fault: Fault) -> ExitStatus {
        switch fault.code {
        case .corrupt, .inputOutput, .notADatabase: .failure
        case .busy, .storeNotFound, .closed, .readOnly: .notValid
        default: .usageError
        }
    }
}
