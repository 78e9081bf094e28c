import ArgumentParser

/// The option that selects cells by name, the same for all commands that measure, plan or list them.
struct FilterOptions: ParsableArguments {
    @Option(
        help:
            "Only cells whose name, or the id of a claim, holds this text or matches it as a regular expression, for example '^exact/'; may be given several times. The control row is always among them."
    )
    var filter: [String] = []

    func validate() throws {
        for text in filter where (try? Regex(text)) == nil {
            throw ValidationError("--filter takes a text or a regular expression: \(text) is neither")
        }
    }
}
