import ArgumentParser
import JSONText
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups

/// `soup odata query`: asks a soup of a store in OData.
struct ODataQueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Prints the rows of a soup that a query in OData finds.",
        discussion: """
            The store is read in place, and nothing is written. Each row is a line of JSON. With --explain the rows are not read: \
            the answer says which conditions an index decides.

            Examples:
              soup odata query app.db products '$filter=Price gt 2.5&$orderby=Name&$top=10'
              soup odata query app.db products '$filter=Price gt 2.5' --explain
              soup odata query app.db products '$select=Name' --metadata metadata.xml --type Shop.Product

            \(ExitStatus.help(success: "printed", failure: "a query that is malformed or fails, or a store that cannot be read"))
            """)

    @OptionGroup var options: ODataCommand.Options

    @Option(help: "A metadata document, which has the types of the rows.") var metadata: String?
    @Option(help: "The qualified name of the type of the rows; unknown names are then errors.") var type: String?
    @OptionGroup var backEnd: BackEndOption
    @Flag(help: "Prints how the query would be answered, as JSON.") var explain = false

    @Argument(help: "The file of the store.") var store: String
    @Argument(help: "The soup.") var soup: String
    @Argument(help: "The query: what follows ? in a URL.") var query: String = ""

    func run() throws {
        let model = try metadata.map { try ODataCommand.model(in: $0) }
        let store = try opened(try backEnd.options(.readOnly))
        defer { try? store.close() }
        try TextReport.printing(query) { () throws(Fault) in
            let query = try SoupQuery(query, version: self.options.version, model: model, entityType: type)
            guard !explain else {
                return [Self.text(of: try store.explain(odata: query, in: soup))]
            }
            var cursor = try store.query(odata: query, in: soup)
            var lines: [String] = []
            if let count = cursor.count {
                lines.append("count \(count)")
            }
            repeat {
                lines += cursor.page.map { String(decoding: $0, as: UTF8.self) }
            } while try cursor.next()
            return lines
        }
    }

    /// The store. That it cannot be read is what this command reports with 1.
    private func opened(_ options: StoreOptions) throws -> SmartStore {
        do throws(Fault) {
            return try SmartStore(path: store, options: options)
        } catch {
            StandardError.say(error.description)
            throw ExitStatus.failure.code
        }
    }

    private static func text(of plan: ODataPlan) -> String {
        let conjuncts = plan.conjuncts.map { conjunct -> JSONValue in
            [
                "text": .string(conjunct.text), "answer": .string(conjunct.answer.rawValue),
                "index": conjunct.index.map(JSONValue.string) ?? .null,
                "reason": conjunct.reason.map(JSONValue.string) ?? .null,
            ]
        }
        let value: JSONValue = [
            "conjuncts": .array(conjuncts), "order": .string(plan.order.rawValue),
            "uses": .array(plan.uses.map { .string($0.path) }), "scans": .array(plan.scans.map(JSONValue.string)),
            "sql": .string(plan.sql),
        ]
        return value.text()
    }
}
