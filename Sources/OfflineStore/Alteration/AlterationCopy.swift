import SQLiteAccess
import Soups

/// Copies the entries of an altered soup into its new table: ids, dates and texts unchanged, with the columns of kept
/// paths; other columns are NULL.
struct AlterationCopy {
    let alteration: Alteration
    let details: AlterationDetails

    private var connection: Connection { alteration.session.connection }

    func run() throws(Fault) {
        let total = Int(try connection.integer("SELECT count(*) FROM \(details.table.old)") ?? 0)
        var done = 0
        var after: Int64 = .min
        while let last = try lastId(after: after) {
            try copy(after: after, through: last)
            after = last
            done = min(done + Alteration.chunk, total)
            alteration.report(.copyTable, done, total)
        }
        let converted = details.convertedSpecs
        if !converted.isEmpty {
            try ReIndexing(session: alteration.session, soup: details.newSoup, specs: converted, keepsFullText: false)
                .run { _, _ in }
        }
        try fillFullText()
    }

    /// The last id of the next chunk of entries; nil if there are no more.
    private func lastId(after id: Int64) throws(Fault) -> Int64? {
        let statement = try connection.statement(
            "SELECT max(id) FROM (SELECT id FROM \(details.table.old) WHERE id > ? ORDER BY id LIMIT \(Alteration.chunk))"
        )
        defer { statement.reset() }
        try statement.bind(integer: id, at: 1)
        guard try statement.step(), case .integer(let last) = statement.value(at: 0) else {
            return nil
        }
        return last
    }

    private func copy(after first: Int64, through last: Int64) throws(Fault) {
        var targets = ["id", "created", "lastModified"]
        var sources = targets
        if !details.wasExternal, !details.becomesExternal {
            targets.append("soup")
            sources.append("soup")
        }
        for spec in details.newTable.columnSpecs {
            guard let source = details.sourceOfCopy(for: spec)?.columnName, let target = spec.columnName else {
                continue
            }
            targets.append(target)
            sources.append(source)
        }
        try connection.run(
            """
            INSERT INTO \(details.table) (\(targets.joined(separator: ", "))) \
            SELECT \(sources.joined(separator: ", ")) FROM \(details.table.old) WHERE id > ? AND id <= ?
            """, .integer(first), .integer(last))
        if details.wasExternal != details.becomesExternal {
            try moveElements(after: first, through: last)
        }
    }

    /// Moves the texts of entries from the table into files, or back.
    private func moveElements(after first: Int64, through last: Int64) throws(Fault) {
        let elements = try alteration.session.elements()
        let written = WrittenElements(elements)
        alteration.session.pending.afterRollback { written.remove() }
        let text = details.wasExternal ? "NULL" : "soup"
        let rows = try connection.statement(
            "SELECT id, lastModified, \(text) FROM \(details.table.old) WHERE id > ? AND id <= ? ORDER BY id")
        defer { rows.reset() }
        try rows.bind(integer: first, at: 1)
        try rows.bind(integer: last, at: 2)
        while try rows.step() {
            let place = ElementPlace(table: details.table.id, id: rows.integer(at: 0), version: rows.integer(at: 1))
            if details.wasExternal {
                let update = try connection.statement("UPDATE \(details.table) SET soup = ? WHERE id = ?")
                defer { update.reset() }
                try update.bind(.text(try elements.readExisting(place)), at: 1)
                try update.bind(integer: place.id, at: 2)
                _ = try update.step()
            } else {
                try written.write(rows.bytes(at: 2), to: place)
            }
        }
        if details.becomesExternal {
            try elements.synchronize()
        }
    }

    private func fillFullText() throws(Fault) {
        let columns = details.newTable.fullTextSpecs.compactMap(\.columnName).joined(separator: ", ")
        guard !columns.isEmpty else { return }
        try connection.execute(
            "INSERT INTO \(details.newTable.name.fullText) (rowid, \(columns)) SELECT id, \(columns) FROM \(details.table) ORDER BY id"
        )
    }
}
