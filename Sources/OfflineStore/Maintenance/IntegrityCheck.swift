import Platform
import SQLiteAccess
import Soups

/// Checks a store in one state, and notes what it finds. What cannot be read is a finding too.
final class IntegrityCheck {
    let session: StoreSession
    private(set) var report: IntegrityReport
    private var connection: Connection { session.connection }
    /// Opens connections that see later states; nil if nothing can be written during the check.
    private let connections: StoreConnections?

    init(_ session: StoreSession, _ depth: CheckDepth, _ connections: StoreConnections? = nil) {
        self.session = session
        self.connections = connections
        report = IntegrityReport(depth: depth)
    }

    func run() throws(Fault) {
        try checkPages()
        if try finding(nil, { () throws(Fault) in try KeyValueTables.exist(in: connection) }) == true {
            return try checkValues()
        }
        let names = try finding(nil) { () throws(Fault) in try SoupReading.names(in: connection) } ?? []
        let underway = try finding(nil) { () throws(Fault) in try LongOperation.soupsUnderway(connection) } ?? []
        // Also without a row of status.
        let renamed = try finding(nil) { () throws(Fault) in try LongOperation.renamedSoups(connection) } ?? []
        let unfinished = underway.union(renamed.map { ByteKey($0) })
        let catalogue = CatalogueCheck(connection: connection, soups: names, unfinished: unfinished)
        _ = try finding(nil) { () throws(Fault) in try catalogue.run(adding: &report) }
        // Without the list of indexes no soup can be read: one finding says it.
        let isComplete = !report.findings.contains { $0.code == .catalogueMissing }
        for name in names where isComplete {
            try connection.checkCall()
            guard !unfinished.contains(ByteKey(name)) else {
                report.add(.alterationUnfinished, soup: name)
                continue
            }
            try checkSoup(name)
        }
        let migrations = try finding(nil) { () throws(Fault) in try MigrationTable.rows(connection) } ?? []
        for migration in migrations where !migration.isFinished {
            report.add(.migrationUnfinished)
        }
    }

    /// Checks the values of a key-value store.
    private func checkValues() throws(Fault) {
        let ids = try finding(nil) { () throws(Fault) in try session.incompleteValues() }
        for id in ids ?? [] {
            report.add(.valueIncomplete, id: id)
        }
    }

    /// Runs a part; damage that ends it is a finding.
    private func finding<R>(_ soup: String?, _ work: () throws(Fault) -> R) throws(Fault) -> R? {
        do throws(Fault) {
            return try work()
        } catch {
            guard [.corrupt, .sqlError, .inputOutput].contains(error.code), !connection.isCallCancelled else {
                throw error
            }
            report.add(.pageDamaged, soup: soup, detail: error.code.rawValue)
            return nil
        }
    }

    // MARK: - Pages

    private func checkPages() throws(Fault) {
        let isFull = report.depth == .full
        let lines = try finding(nil) { () throws(Fault) in
            try texts(isFull ? "PRAGMA integrity_check(100)" : "PRAGMA quick_check(100)")
        }
        for line in lines ?? [] where line != "ok" {
            let isIndex = line.contains("index") && (line.contains("missing") || line.contains("entries"))
            report.add(isIndex ? .indexOutOfStep : .pageDamaged, detail: line)
        }
        if isFull, session.options.key != nil, try CopyCheck.authenticatesPages(connection) {
            let pages = try finding(nil) { () throws(Fault) in try pagesWithWrongTags() }
            for line in pages ?? [] {
                report.add(.pageDamaged, detail: line)
            }
        }
    }

    /// How often pages with wrong tags are read again.
    private static let furtherReadings = 2

    /// One line for each page whose tag is wrong each time it is read: damage stays.
    ///
    /// SQLCipher reads the pages from the file and not through its cache, while a checkpoint of another connection may
    /// write them.
    private func pagesWithWrongTags() throws(Fault) -> [String] {
        var lines = try texts("PRAGMA cipher_integrity_check")
        for _ in 0..<Self.furtherReadings where !lines.isEmpty {
            let again = Set(try texts("PRAGMA cipher_integrity_check").map { ByteKey($0) })
            lines.removeAll { !again.contains(ByteKey($0)) }
        }
        return lines
    }

    private func texts(_ sql: String) throws(Fault) -> [String] {
        let rows = try connection.prepare(sql)
        return try rows.texts()
    }

    // MARK: - Soups

    private func checkSoup(_ name: String) throws(Fault) {
        guard
            let soup = try finding(name, { () throws(Fault) in try SoupReading.soup(named: name, in: connection) }),
            let soup
        else {
            return
        }
        let isComplete = try finding(name) { () throws(Fault) in try hasTables(soup) }
        guard isComplete == true else {
            if isComplete == false {
                report.add(.tableMissing, soup: name)
            }
            return
        }
        if soup.indexSpecs.isEmpty {
            report.add(.catalogueOutOfStep, soup: name, detail: "the soup has no index")
        }
        if soup.storesExternally {
            var found = FileFindings()
            _ = try finding(name) { () throws(Fault) in
                try Self.look(for: &found, of: soup, session, reading: report.depth == .full)
            }
            try keepWhatStays(of: &found, soup)
            note(found, name)
        }
        guard report.depth == .full else { return }
        var found = EntryFindings()
        _ = try finding(name) { () throws(Fault) in try checkEntries(of: soup, &found) }
        for id in found.invalid {
            report.add(.entryInvalid, soup: name, id: id)
        }
        for id in found.outOfStep {
            report.add(.columnOutOfStep, soup: name, id: id)
        }
        let ids = try finding(name) { () throws(Fault) in try session.entriesOutOfStepWithFullText(soup) }
        for id in ids ?? [] {
            report.add(.fullTextOutOfStep, soup: name, id: id)
        }
    }

    /// Whether the tables of a soup are there, with the columns that the index map names.
    private func hasTables(_ soup: RegisteredSoup) throws(Fault) -> Bool {
        let columns = Set(try texts("SELECT name FROM pragma_table_info('\(soup.tableName)')"))
        let fixed =
            soup.storesExternally ? ["id", "created", "lastModified"] : ["id", "created", "lastModified", "soup"]
        let own = soup.indexSpecs.filter(\.type.hasColumn).compactMap(\.columnName)
        return columns.isSuperset(of: fixed + own) && (soup.fullTextSpecs.isEmpty || soup.fullTextVersion != nil)
    }

    private struct EntryFindings {
        var invalid: [Int64] = []
        var outOfStep: [Int64] = []
    }

    /// Compares each column that is not NULL with its entry. A column that was added without computing it is NULL.
    private func checkEntries(of soup: RegisteredSoup, _ found: inout EntryFindings) throws(Fault) {
        let specs = soup.indexSpecs.filter(\.type.hasColumn)
        let entry = EntryColumns(specs: specs)
        let source = soup.storesExternally ? "lastModified" : "soup"
        let columns = specs.compactMap(\.columnName)
        let rows = try connection.prepare(
            "SELECT \((["id", source] + columns).joined(separator: ", ")) FROM \(soup.tableName) ORDER BY id")
        let files = soup.storesExternally ? try session.elements() : nil
        while try rows.step() {
            let id = rows.integer(at: 0)
            var text: [UInt8]?
            if let files {
                let element = ElementVersion(table: soup.id, id: id, version: rows.integer(at: 1))
                text = (try? files.read(element)) ?? nil
                guard text != nil else { continue }
            }
            let lent = rows.lentBytes(at: 1)
            func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
                guard (try? entry.scan(bytes)) == nil else {
                    return specs.indices.allSatisfy { index in
                        Self.agrees(rows.value(at: index + 2), entry.value(ofSpec: index))
                    }
                }
                guard (try? StoredEntry.check(Array(bytes))) != nil else {
                    found.invalid.append(id)
                    return false
                }
                return specs.indices.allSatisfy { index in
                    Self.agrees(rows.value(at: index + 2), specs[index], bytes)
                }
            }
            let isRight = text.map { $0.withUnsafeBytes(isValid) } ?? isValid(lent)
            if !isRight, found.invalid.last != id {
                found.outOfStep.append(id)
            }
        }
    }

    /// Whether a column agrees with an entry that has a value which cannot be indexed: the column of that one is NULL.
    private static func agrees(_ stored: SQLValue, _ spec: IndexSpec, _ text: UnsafeRawBufferPointer) -> Bool {
        let entry = EntryColumns(specs: [spec])
        guard (try? entry.scan(text)) != nil else {
            return stored == .null
        }
        return agrees(stored, entry.value(ofSpec: 0))
    }

    private static func agrees(_ stored: SQLValue, _ expected: SQLValue) -> Bool {
        switch (stored, expected) {
        case (.null, _): true
        case (.real(let a), .integer(let b)): a == Double(b)
        case (.integer(let a), .real(let b)): Double(a) == b
        default: stored == expected
        }
    }

    // MARK: - Files

    private struct FileFindings {
        var missing: [ElementVersion] = []
        var damaged: [Int64] = []
        /// The names of files that belong to no entry.
        var orphans: Set<String> = []

        var isAboutNames: Bool { !missing.isEmpty || !orphans.isEmpty }
    }

    /// Compares the files of a soup with its rows, and reads them if asked.
    private static func look(
        for found: inout FileFindings, of soup: RegisteredSoup, _ session: StoreSession, reading: Bool
    ) throws(Fault) {
        let files = try session.elements()
        let contents = files.contents(ofTable: soup.id)
        var known: Set<ElementVersion> = []
        var legacy: Set<String> = []
        let rows = try session.connection.prepare("SELECT id, lastModified FROM \(soup.tableName) ORDER BY id")
        while try rows.step() {
            let element = ElementVersion(table: soup.id, id: rows.integer(at: 0), version: rows.integer(at: 1))
            known.insert(element)
            if !contents.elements.contains(element) {
                legacy.insert(element.legacyFileName)
                if !contents.others.contains(element.legacyFileName) {
                    found.missing.append(element)
                    continue
                }
            }
            guard reading else { continue }
            do throws(Fault) {
                if try files.read(element) == nil {
                    found.missing.append(element)
                }
            } catch {
                found.damaged.append(element.id)
            }
        }
        // Files of former versions go with the commit: inside a transaction they are not left over.
        guard session.level == 0 else { return }
        found.orphans = Set(contents.elements.subtracting(known).map(\.fileName))
            .union(contents.others.filter { !legacy.contains($0) })
    }

    /// Leaves out what another call or process was about to finish: a version is written before its commit and removed
    /// after the next one. What is found in every later state for two seconds stays.
    private func keepWhatStays(of found: inout FileFindings, _ soup: RegisteredSoup) throws(Fault) {
        guard let connections, found.isAboutNames else { return }
        let later = try connections.openReader()
        defer { later.connection.close() }
        for _ in 0..<20 where found.isAboutNames {
            CurrentThread.sleep(.milliseconds(100))
            try connection.checkCall()
            var again = FileFindings()
            do throws(Fault) {
                try later.connection.transaction(.deferred) { () throws(Fault) in
                    try Self.look(for: &again, of: soup, later, reading: false)
                }
            } catch {
                // Damage that was found before, or a soup that has been removed since.
                return
            }
            let missing = Set(again.missing)
            found.missing.removeAll { !missing.contains($0) }
            found.orphans.formIntersection(again.orphans)
        }
    }

    private func note(_ found: FileFindings, _ soup: String) {
        for element in found.missing {
            report.add(.externalFileMissing, soup: soup, id: element.id)
        }
        for id in found.damaged {
            report.add(.externalFileDamaged, soup: soup, id: id)
        }
        for _ in 0..<min(found.orphans.count, 100) {
            report.add(.externalFileOrphaned, soup: soup)
        }
    }
}
