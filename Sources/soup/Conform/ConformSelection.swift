import ArgumentParser
import Conformance

/// The options that say which cases are meant.
struct ConformSelection: ParsableArguments {
    @Option(
        help:
            "Only cases whose id, area or requirement holds this text or matches it as a regular expression, for example '^ent-'. May be given several times."
    )
    var filter: [String] = []

    @Option(help: "Only cases up to this level: core, full or extended. (default: extended)")
    var level: String?

    @Argument(help: "Vector files, or folders of them.")
    var path: [String]

    func validate() throws {
        for text in filter where (try? Regex(text)) == nil {
            throw ValidationError("--filter takes a text or a regular expression: \(text) is neither")
        }
        if let level, ConformanceLevel(rawValue: level) == nil {
            throw ValidationError("--level takes core, full or extended")
        }
    }

    var selection: VectorSelection {
        VectorSelection(texts: filter, level: level.flatMap(ConformanceLevel.init(rawValue:)))
    }
}
