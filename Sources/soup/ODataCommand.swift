import ArgumentParser
import Conformance
import JSONText
import OData
import Soups

/// `soup odata`: shows how this library reads OData texts.
struct ODataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "odata",
        abstract:
            "Parses, prints and evaluates OData texts, reads payloads and metadata, asks soups, loads and pushes entity sets.",
        discussion: """
            Examples:
              soup odata parse --kind url 'Items?$top=3'
              soup odata eval 'price gt 3' '{"price": 4}'
              soup odata read feed.xml --count
              soup odata filter feed.xml --filter 'Price gt 3'
              soup odata metadata metadata.xml
              soup odata query app.db products '$filter=Price gt 2.5'
              soup odata load app.db Products http://127.0.0.1:8080/odata/ --metadata metadata.xml
              soup odata edit app.db changes.jsonl --metadata metadata.xml
              soup odata push app.db http://127.0.0.1:8080/odata/ --metadata metadata.xml

            \(
                ExitStatus.help(
                    success: "success", failure: "malformed text, payload or document, with its position in the message"))
            """,
        subcommands: [
            Parse.self, Print.self, Eval.self, ODataReadCommand.self, ODataFilterCommand.self,
            ODataMetadataCommand.self, ODataQueryCommand.self, ODataLoadCommand.self, ODataEditCommand.self,
            ODataPushCommand.self, ODataResolveCommand.self,
        ])

    /// The options of all three commands.
    struct Options: ParsableArguments {
        @Option(
            help: "The version of OData: 1.0, 2.0, 3.0, 4.0 or 4.01. (default: 4.0)", transform: ODataCommand.version)
        var version: ODataVersion = .v4
    }

    struct Parse: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the tree of a text as JSON.",
            discussion: """
                Examples:
                  soup odata parse "name eq 'Ada' and price gt 3"
                  soup odata parse --kind url 'Items?$top=3'
                  soup odata parse --kind expand 'Orders($select=ID)'
                  soup odata parse --kind compute --version 4.01 'Price mul Quantity as Total'

                \(ExitStatus.help(success: "parsed", failure: "malformed text, with a mark below the error"))
                """)

        enum Kind: String, ExpressibleByArgument, CaseIterable {
            case filter, orderby, select, expand, search, compute, apply, url
        }

        @OptionGroup var options: Options

        @Option(help: "What the text is.")
        var kind: Kind = .filter

        @Argument(help: "The text; all but a URL are percent-decoded already.")
        var text: String

        func run() throws {
            let context = ODataTextCalls.Context(version: options.version)
            try ODataCommand.report(text) { () throws(Fault) in
                switch kind {
                case .filter: try ODataTextCalls.parseFilter(text, context)
                case .orderby: try ODataTextCalls.parseOrderBy(text, context)
                case .select: try ODataTextCalls.parseSelect(text, context)
                case .expand: try ODataTextCalls.parseExpand(text, context)
                case .search: try ODataTextCalls.parseSearch(text, context)
                case .compute: try ODataTextCalls.parseCompute(text, context)
                case .apply: try ODataTextCalls.parseApply(text, context)
                case .url: try ODataTextCalls.parseURL(text, context)
                }
            }
        }
    }

    struct Print: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a filter in canonical text.",
            discussion: """
                Example:
                  soup odata print '(price  gt 3) and not (done)'

                \(ExitStatus.help(success: "printed", failure: "malformed filter, with a mark below the error"))
                """)

        @OptionGroup var options: Options

        @Argument(help: "The filter, percent-decoded already.")
        var filter: String

        func run() throws {
            let context = ODataTextCalls.Context(version: options.version)
            try ODataCommand.report(filter) { () throws(Fault) in try ODataTextCalls.formatFilter(filter, context) }
        }
    }

    struct Eval: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the value of an expression for an entity.",
            discussion: """
                Examples:
                  soup odata eval 'price gt 3' '{"price": 4}'
                  soup odata eval 'year(2026-05-04) add 1'
                  soup odata eval --metadata model.xml --entity-type Shop.Item "Size eq Shop.Size'M'" '{"Size": "M"}'

                \(
                    ExitStatus.help(
                        success: "evaluated", failure: "malformed expression, with a mark below the error",
                        usage: "an entity that is not a JSON object, or a file that cannot be read"))
                """)

        @OptionGroup var options: Options

        @Option(help: "A metadata document, which has the types of the entity.") var metadata: String?
        @Option(help: "The qualified name of the type of the entity; unknown names are then errors.")
        var entityType: String?

        @Argument(help: "The expression, percent-decoded already.")
        var expression: String

        @Argument(help: "The entity, a JSON object.")
        var entity: String = "{}"

        func run() throws {
            let node: JSONValue
            do {
                node = try JSONValue(parsing: entity)
            } catch {
                throw ValidationError("the entity is not valid JSON: \(error)")
            }
            guard node.object != nil else {
                throw ValidationError("the entity is not a JSON object")
            }
            let model = try metadata.map { try ODataCommand.model(in: $0) }
            try ODataCommand.report(expression) { () throws(Fault) in
                try ODataEvaluator(
                    ODataExpression(parsing: expression, version: options.version), model: model,
                    entityType: entityType
                ).value(for: node).json
            }
        }
    }

    /// Reads a metadata document. A fault is printed to standard error, and the exit status is 1; 2 for a file that
    /// cannot be read, which says nothing about the document.
    static func model(in file: String, isStrict: Bool = false) throws -> EdmModel {
        let bytes = try FileBytes.orRefusal(of: file)
        do throws(Fault) {
            return try EdmModel(csdl: bytes, isStrict: isStrict)
        } catch {
            StandardError.say("\(file): \(error)")
            throw ExitStatus.failure.code
        }
    }

    /// The version that an option names.
    static func version(_ text: String) throws -> ODataVersion {
        guard let version = ODataVersion(rawValue: text) else {
            throw ValidationError("'\(text)' is not a version of OData; --version takes 1.0, 2.0, 3.0, 4.0 or 4.01")
        }
        return version
    }

    /// Prints a result; texts without quotes. A fault ends with exit status 1.
    private static func report(_ text: String, _ work: () throws(Fault) -> JSONValue) throws {
        try TextReport.printing(text) { () throws(Fault) in
            let value = try work()
            return [value.string ?? value.text()]
        }
    }
}
