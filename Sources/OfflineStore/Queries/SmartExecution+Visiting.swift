import SQLiteAccess
import SmartSQL
import Soups

extension SmartExecution {
    /// Shows each row to a closure until it returns false, and returns how many it was shown.
    ///
    /// - Parameter begin: Called once, before the first row, with what gives the names of the columns.
    /// - Throws: what the statement throws, with offsets in the Smart SQL text; what the closures throw, unchanged.
    func visit(
        _ session: StoreSession, begin: (_ names: () -> [String]) throws(Fault) -> Void = { _ in },
        _ show: (VisitedRow) throws(Fault) -> Bool
    ) throws(Fault) -> Reported<Int> {
        let external = try externalTables(session)
        var thrown: Fault?
        let result = try run(.rows, [], session, rows: { $0 }) { (statement) throws(Fault) in
            let columns = columns(of: statement)
            var shown = 0
            do throws(Fault) {
                try begin { names(of: columns, statement) }
            } catch {
                thrown = error
                return shown
            }
            // One value for all rows, which are read from the statement when they are looked at.
            let source = VisitedRow.Source(statement, columns: columns) { (column) throws(Fault) in
                try cell(column, statement, external, session)
            }
            let row = VisitedRow(source: source)
            while try statement.step() {
                shown += 1
                do throws(Fault) {
                    guard try show(row) else { break }
                } catch {
                    thrown = error
                    break
                }
            }
            return shown
        }
        if let thrown {
            throw thrown
        }
        return result
    }
}
