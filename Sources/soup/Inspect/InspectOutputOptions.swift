import ArgumentParser
import Platform

/// Where and how the result of an inspection is written.
struct InspectOutputOptions: ParsableArguments {
    /// The form of a result.
    enum Format: String, CaseIterable {
        case table, json, jsonl, csv
    }

    @Option(
        help:
            "table (on a terminal), json (one document), jsonl (else) or csv; show writes jsonl unless another is named."
    )
    var format: String?

    @Flag(help: "For show: entries with line breaks and indentation.")
    var pretty = false

    @Option(help: "For export: the file to write, for its owner only; standard output if none is given.")
    var output: String?

    func validate() throws {
        guard format.map({ Format(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("unknown format '\(format ?? "")': use table, json, jsonl or csv")
        }
        guard !pretty || named != .table && named != .csv else {
            throw ValidationError("--pretty lays JSON out: leave it out, or use --format json")
        }
    }

    /// The format that the command names; nil if it leaves the choice.
    var named: Format? { format.flatMap(Format.init) }

    var chosen: Format {
        named ?? (OpenFile.standardOutput.isTerminal ? .table : .jsonl)
    }
}
