import SQLiteAccess
import SmartSQL
import Soups

/// Translates an input as Smart SQL. It is refused with an offset in it, or SQLite compiles it with as many parameters as
/// were counted and nothing but reading of soups in it, or SQLite refuses it with an offset in it.
enum SmartSQLTarget {
    // libFuzzer runs inputs one after the other, on one thread.
    private nonisolated(unsafe) static let soups = FuzzSoups()

    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        for permissive in [false, true] {
            do throws(Fault) {
                let query = try TranslatedQuery(text, catalogue: soups, permissive: permissive)
                for form in [TranslatedQuery.Form.rows, .page, .count, .ids] {
                    compile(query, form, text)
                }
            } catch {
                precondition(
                    (0...text.utf8.count).contains(error.offset ?? -1), "a refusal has an offset in the text: \(error)")
            }
        }
    }

    private static func compile(_ query: TranslatedQuery, _ form: TranslatedQuery.Form, _ text: String) {
        do throws(Fault) {
            let statement = try soups.connection.restricted(to: soups.reach) { () throws(Fault) in
                try soups.connection.prepare(query.sql(form))
            }
            precondition(statement.isReadOnly, "a translated text writes")
            precondition(
                statement.parameterCount == query.parameterCount + (form == .page ? 2 : 0),
                "SQLite counts other parameters")
        } catch {
            let located = query.located(error, in: form)
            precondition(
                located.offset.map { (0...text.utf8.count).contains($0) } ?? true,
                "an error of SQLite points outside the text: \(located)")
        }
    }
}
