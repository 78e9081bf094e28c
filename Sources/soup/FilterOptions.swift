import ArgumentParser

/// The option that selects cells by name, the same for all commands that measure, plan or list them.
struct FilterOptions: ParsableArguments {
    @Option(
        help:
            "Only cells whose name, or the id of a claim, holds this text or matches it as a regular expression, for example '^exact/'; may be given several times. The control row is always among them."
    )
    var filter: [String] = []

    func validate() throws { try Self.check(filter, of: "--filter") }

    /// Checks that each text of an option can be used to find names.
    static func check(_ texts: [String], of option: String) throws {
        for text in texts where (try? Regex(text)) == nil {
            throw ValidationError("\(option) takes a text or a regular expression: \(text) is neither")
        }
    }
}
