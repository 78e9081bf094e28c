import ArgumentParser
import SOQL
import Soups

extension SOQLCommand {
    struct Mutate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a query in canonical form, after the changes that are named.",
            discussion: """
                A change is one of these words and a text: add-select, replace-select, add-where, order-by. Changes are made
                in the order given; order-by with an empty text removes the order.

                Examples:
                  soup soql mutate 'SELECT Id FROM Account LIMIT 10'
                  soup soql mutate 'select Name from Account' add-select Id add-where 'Rating > 3' order-by Name

                \(
                    ExitStatus.help(
                        success: "printed", failure: "malformed query or text, with a mark below the error",
                        usage: "an unknown change"))
                """)

        /// A change by its name on the command line.
        enum Change: String, CaseIterable {
            case addSelect = "add-select"
            case replaceSelect = "replace-select"
            case addWhere = "add-where"
            case orderBy = "order-by"

            func applied(_ text: String, to query: SOQLQuery) throws(Fault) -> SOQLQuery {
                switch self {
                case .addSelect: try query.addingSelect(text)
                case .replaceSelect: try query.replacingSelect(with: text)
                case .addWhere: try query.addingWhere(text)
                case .orderBy: try query.replacingOrderBy(with: text)
                }
            }
        }

        @Argument(help: "The query.")
        var query: String

        @Argument(help: "The changes: pairs of a word and a text.")
        var changes: [String] = []

        func validate() throws { _ = try pairs() }

        func run() throws {
            var mutated: SOQLQuery?
            try TextReport.checking(query) { () throws(Fault) in mutated = try SOQLQuery(query) }
            for (change, text) in try pairs() {
                try TextReport.checking(text) { () throws(Fault) in
                    mutated = try mutated.map { (query) throws(Fault) in try change.applied(text, to: query) }
                }
            }
            if let mutated {
                print(mutated.text)
            }
        }

        private func pairs() throws -> [(Change, String)] {
            var pairs: [(Change, String)] = []
            for index in stride(from: 0, to: changes.count, by: 2) {
                guard let change = Change(rawValue: changes[index]) else {
                    let names = Change.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("'\(changes[index])' is not a change; use \(names), each with a text")
                }
                guard index + 1 < changes.count else {
                    throw ValidationError("'\(changes[index])' needs a text")
                }
                pairs.append((change, changes[index + 1]))
            }
            return pairs
        }
    }
}
