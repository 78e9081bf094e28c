import ArgumentParser
import Benchmarking

extension RunFormat {
    /// The help of `--format`, the same for all commands that have it.
    static let help: ArgumentHelp = "How to print the result: text, markdown, csv, json or junit. (default: text)"

    /// Reads the value of `--format`.
    @Sendable static func option(_ text: String) throws -> RunFormat {
        guard let format = RunFormat(rawValue: text) else {
            throw ValidationError("--format takes text, markdown, csv, json or junit")
        }
        return format
    }
}
