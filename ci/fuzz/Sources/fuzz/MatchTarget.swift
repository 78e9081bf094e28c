import SQLiteAccess
import SmartSQL
import Soups

/// Reads an input as a match expression. It is refused with an offset in it, or its canonical text reads back as the same
/// tree, and FTS5 and FTS4 run it.
enum MatchTarget {
    // libFuzzer runs inputs one after the other, on one thread.
    private nonisolated(unsafe) static let soups = FuzzSoups()

    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        do throws(Fault) {
            let tree = try MatchExpression(text)
            // The canonical text has parentheses around every part, so that it may be deeper than the limit.
            if let again = try? MatchExpression(tree.description) {
                precondition(again == tree, "the canonical text is another expression")
            }
            _ = try MatchExpression.qualified(text, by: "{a:t}:")
        } catch {
            precondition(
                (0...text.utf8.count).contains(error.offset ?? -1), "a refusal has an offset in the text: \(error)")
            return
        }
        for soup in soups.soups {
            for path in [nil, "t"] {
                guard let query = try? PageQuery(.match(path: path, matchKey: text), soup: soup) else {
                    continue
                }
                do throws(Fault) {
                    let statement = try soups.connection.prepare(query.count.sql)
                    for (index, value) in query.count.bindings.enumerated() {
                        try statement.bind(value, at: index + 1)
                    }
                    while try statement.step() {}
                } catch {
                    preconditionFailure("\(soup.fullTextVersion.map(\.rawValue) ?? "") refuses what was read: \(error)")
                }
            }
        }
    }
}
