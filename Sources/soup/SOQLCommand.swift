import ArgumentParser
import JSONText
import SOQL
import Soups

/// `soup soql`: shows how this library reads and changes SOQL texts.
struct SOQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soql", abstract: "Splits, inspects and changes SOQL queries.",
        discussion: """
            Examples:
              soup soql tokens "Name = 'Ada' order by Name"
              soup soql inspect --field Id 'select Id from Account limit 10'
              soup soql mutate 'select Name from Account' add-select Id add-where 'Rating > 3'

            \(ExitStatus.help(success: "success", failure: "malformed text, with its position in the message"))
            """,
        subcommands: [Tokens.self, Inspect.self, Mutate.self])

    struct Tokens: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the top-level tokens of a text, a line each: byte offset, kind, and text as JSON.",
            discussion: """
                Examples:
                  soup soql tokens "Name = 'Ada' order by Name"
                  soup soql tokens 'Id in (select Id from Account)'

                \(ExitStatus.help(success: "split", failure: "an open quote or parenthesis, with a mark below it"))
                """)

        @Argument(help: "The text: a query or a part of one.")
        var text: String

        func run() throws {
            try TextReport.printing(text) { () throws(Fault) in
                try SOQLToken.tokens(of: text).map { "\($0.offset) \($0.kind) \(JSONValue.string($0.text).text())" }
            }
        }
    }

    struct Inspect: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the clauses of a query, a line each, and what is asked about a field.",
            discussion: """
                Examples:
                  soup soql inspect 'select Id from Account where Name = null order by Id limit 10'
                  soup soql inspect --field LastModifiedDate 'select Id from Account order by LastModifiedDate'

                With --field: whether the query selects the field, whether that is the whole order, and whether records come
                in its ascending order.

                \(ExitStatus.help(success: "printed", failure: "malformed query, with a mark below the error"))
                """)

        @Option(help: "The field to ask about.")
        var field: String?

        @Argument(help: "The query.")
        var query: String

        func run() throws {
            try TextReport.printing(query) { () throws(Fault) in
                let query = try SOQLQuery(query)
                let clauses = SOQLClause.allCases.compactMap { clause in
                    query[clause].map { "\(clause.keyword): \($0)" }
                }
                guard let field else {
                    return clauses
                }
                return clauses + [
                    "selecting \(field): \(query.isSelecting(field))",
                    "ordering by \(field): \(query.isOrdering(by: field))",
                    "ascending by \(field): \(query.isAscending(by: field))",
                ]
            }
        }
    }
}
