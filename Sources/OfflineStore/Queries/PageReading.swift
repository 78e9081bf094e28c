import SQLiteAccess
import SmartSQL
import Soups

/// Turns the rows of a query's statements into a page.
struct PageReading {
    /// Whether a row is an entry. With select paths it is a row of values.
    let returnsEntries: Bool
    let columns: [PageQuery.Column]
    /// The soup's name if its entries are in files of their own.
    let externalSoup: String?

    /// Runs the prepared statements of a first page until it is full.
    ///
    /// - Parameter counts: How many of the bindings each statement has.
    func run(
        _ statements: [Statement], _ counts: [Int], _ bindings: PageShape.Bindings, limit: Int, session: StoreSession
    ) throws(Fault) -> Reported<ResultPage> {
        var result = ResultPage(returnsEntries: returnsEntries, limit: limit, isFirst: true)
        var report = CallReport()
        let wanted = limit == .max ? limit : limit + 1
        var found = 0
        var first = 0
        for (index, statement) in statements.enumerated() where found < wanted {
            defer { statement.reset() }
            let count = counts[index]
            try statement.bind(bindings, from: first, count: count)
            first += count
            found += try read(statement, count, wanted - found, limit, into: &result, session)
            report = session.report(statement, rows: result.count)
        }
        return Reported(consume result, report)
    }

    /// Adds the rows of a bound statement to a page, and returns how many there were, at most `wanted`. Those beyond
    /// the limit of the page are not read.
    func read(
        _ statement: Statement, _ bound: Int, _ wanted: Int, _ limit: Int, into result: inout ResultPage,
        _ session: StoreSession
    ) throws(Fault) -> Int {
        try statement.bind(integer: Int64(wanted), at: bound + 1)
        var found = 0
        while try statement.step() {
            found += 1
            guard result.count < limit else {
                result.hasMore = true
                break
            }
            try append(statement, to: &result, session: session)
        }
        return found
    }

    private func append(_ row: Statement, to result: inout ResultPage, session: StoreSession) throws(Fault) {
        result.note(row)
        if returnsEntries {
            if externalSoup == nil {
                result.add(row.lentBytes(at: 2))
            } else {
                let text = try external(row.integer(at: 0), session)
                text.withUnsafeBytes { result.add($0) }
            }
            return
        }
        var cells: [StoreCell] = []
        cells.reserveCapacity(columns.count)
        for (index, column) in columns.enumerated() {
            switch column {
            case .value: cells.append(.value(row.value(at: index + 2)))
            case .entry: cells.append(.entry(row.bytes(at: index + 2)))
            case .externalEntry: cells.append(.entry(try external(row.integer(at: 0), session)))
            }
        }
        result.rows.append(cells)
    }

    func external(_ id: Int64, _ session: StoreSession) throws(Fault) -> [UInt8] {
        guard let entry = try session.retrieve([id], from: externalSoup ?? "").first else {
            throw Fault(.corrupt, "the file of an entry is missing")
        }
        return entry
    }
}
