import SQLiteAccess
import Soups

/// Copies the entries of an altered soup into its new table: ids, dates and texts unchanged, with the columns of kept
/// paths; other columns are NULL.
struct AlterationCopy {
    let alteration: Alteration
    let details: AlterationDetails

    private var connection: Connection { alteration.session.connection }

    func run() throws(Fault) {
        let total = Int(try connection.number("SELECT count(*) FROM \(details.table.old)"))
        var done = 0
        var first: Int64 = .min
        while let last = try lastId(from: first) {
            try copy(from: first, through: last)
            done = min(done + Alteration.chunk, total)
            alteration.report(.copyTable, done, total)
            guard last < .max else { break }
            first = last + 1
        }
        let converted = details.convertedSpecs
        if !converted.isEmpty {
            try ReIndexing(session: alteration.session, soup: details.newSoup, specs: converted, keepsFullText: false)
                .run { _, _ in }
        }
        try refuseTextsThatSQLiteCutsOff()
        try fillFullText()
    }

    /// Checks the values of paths that are new as json1: SQLite computes their indexes from the copied texts, whether
    /// the data is re-indexed or not. A text with U+0000 would be indexed up to there only.
    private func refuseTextsThatSQLiteCutsOff() throws(Fault) {
        let specs = details.newJSON1Specs
        guard !specs.isEmpty else { return }
        // JSON writes U+0000 in one way only, which few entries contain: the others need not be read.
        let rows = try connection.statement(
            "SELECT id, soup FROM \(details.table) WHERE instr(soup, '\\u0000') > 0 ORDER BY id")
        defer { rows.reset() }
        let entry = EntryColumns(specs: specs)
        while try rows.step() {
            let id = rows.integer(at: 0)
            try rows.bytes(at: 1).lend { (bytes) throws(Fault) in try entry.scan(bytes, ofEntry: id) }
        }
    }

    /// The last id of the next chunk of entries; nil if there are no more.
    private func lastId(from first: Int64) throws(Fault) -> Int64? {
        let statement = try connection.statement(
            "SELECT max(id) FROM (SELECT id FROM \(details.table.old) WHERE id >= ? ORDER BY id LIMIT \(Alteration.chunk))"
        )
        defer { statement.reset() }
        try statement.bind(integer: first, at: 1)
        guard try statement.step(), case .integer(let last) = statement.value(at: 0) else {
            return nil
        }
        return last
    }

    private func copy(from first: Int64, through last: Int64) throws(Fault) {
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
            SELECT \(sources.joined(separator: ", ")) FROM \(details.table.old) WHERE id >= ? AND id <= ?
            """, .integer(first), .integer(last))
        if details.wasExternal != details.becomesExternal {
            try moveElements(from: first, through: last)
        }
    }

    /// Moves the texts of entries from the table into files, or back.
    private func moveElements(from first: Int64, through last: Int64) throws(Fault) {
        let elements = try alteration.session.elements()
        let written = WrittenElements(elements)
        alteration.session.pending.afterRollback { written.remove() }
        let text = details.wasExternal ? "NULL" : "soup"
        let rows = try connection.statement(
            "SELECT id, lastModified, \(text) FROM \(details.table.old) WHERE id >= ? AND id <= ? ORDER BY id")
        defer { rows.reset() }
        try rows.bind(integer: first, at: 1)
        try rows.bind(integer: last, at: 2)
        while try rows.step() {
            let element = ElementVersion(table: details.table.id, id: rows.integer(at: 0), version: rows.integer(at: 1))
            if details.wasExternal {
                let update = try connection.statement("UPDATE \(details.table) SET soup = ? WHERE id = ?")
                defer { update.reset() }
                try update.bind(.text(try elements.readExisting(element)), at: 1)
                try update.bind(integer: element.id, at: 2)
                _ = try update.step()
            } else {
                try writeElement(rows.bytes(at: 2), to: element, written, elements)
            }
        }
        if details.becomesExternal {
            try elements.synchronize()
        }
    }

    /// Writes a text into a file, which may exist if the same transaction moved the soup out of its files.
    ///
    /// If the entry was changed since then, at the date that it had, the file is needed by a rollback and by readers of
    /// the state before. The entry then gets the next date that has no file.
    private func writeElement(
        _ text: [UInt8], to element: ElementVersion, _ written: WrittenElements, _ elements: ElementFiles
    ) throws(Fault) {
        guard elements.exists(element), try elements.readExisting(element) != text else {
            return try written.write(text, to: element)
        }
        var version = element.version
        repeat {
            guard version < .max else {
                throw Fault(.limitExceeded, "the entry \(element.id) has the last date that there is: change it first")
            }
            version += 1
        } while elements.exists(ElementVersion(table: element.table, id: element.id, version: version))
        let entry = EntryColumns(specs: [])
        var image: [UInt8] = []
        try text.lend { (bytes) throws(Fault) in
            try entry.scan(bytes, ofEntry: element.id)
            entry.store(id: element.id, lastModified: version, into: &image)
        }
        try written.write(image, to: ElementVersion(table: element.table, id: element.id, version: version))
        try connection.run(
            "UPDATE \(details.table) SET lastModified = ? WHERE id = ?", .integer(version), .integer(element.id))
    }

    private func fillFullText() throws(Fault) {
        let columns = details.newTable.fullTextSpecs.compactMap(\.columnName).joined(separator: ", ")
        guard !columns.isEmpty else { return }
        try connection.execute(
            "INSERT INTO \(details.newTable.name.fullText) (rowid, \(columns)) SELECT id, \(columns) FROM \(details.table) ORDER BY id"
        )
    }
}
