import ArgumentParser
import Conformance
import OData
import Soups

/// Prints the entries of a feed that match a filter as JSON lines, each as soon as it is read.
struct ODataFilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Prints the entries of a feed that match a filter as JSON lines.",
        discussion: """
            The feed is read piece by piece, whatever its size. A single entity is tested like an entry; deleted entities
            and links of a delta are left out. With --entity-type names and types of the filter are checked.

            Examples:
              soup odata filter feed.xml --filter "Price gt 3 and contains(Name,'Milk')"
              soup odata filter - --filter 'Items/any(i:i/Quantity gt 5)' --count < feed.json
              soup odata filter feed.json --metadata model.xml --entity-type Shop.Item --filter "Size eq Shop.Size'M'"

            \(ExitStatus.help(
                    success: "read", failure: "malformed filter or payload, with the byte offset of the error",
                    usage: "a file that cannot be read"))
            """)

    @OptionGroup var payload: PayloadFileOptions
    @Option(help: "The filter, percent-decoded already; in the grammar of 4.01 unless --version is given.") var filter:
        String
    @Flag(help: "Prints only how many entries match.") var count = false

    func run() throws {
        do throws(Fault) {
            try printMatches()
        } catch {
            throw payload.ending(error)
        }
    }

    private func printMatches() throws(Fault) {
        let options = try payload.payloadOptions()
        let evaluator = try ODataEvaluator(
            filter: ODataExpression(parsing: filter, version: payload.knownVersion ?? .v401), model: options.model,
            entityType: options.entityType)
        var matches = 0
        try payload.read(options) { step throws(Fault) in
            switch step {
            case .entry(let entry), .end(.entry(let entry)):
                guard entry.deletion == nil, try evaluator.matches(entry) == true else { return }
                matches += 1
                if !count {
                    print(entry.json.text())
                }
            case .end(.feed), .link, .needsInput: break
            case .end: throw Fault(.invalidArguments, "the payload is neither a feed nor an entity")
            }
        }
        if count {
            print(matches)
        }
    }
}
