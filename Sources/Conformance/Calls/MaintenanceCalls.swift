import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// The calls that look after a store: copies, checks, lines out, migrations.
enum MaintenanceCalls {
    static let all: [CallHandler] = [
        .apart("store.backup", writes: true) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            return summary(try context.backUp(arguments))
        },
        .reads("store.check") { (context, arguments) throws(Fault) in
            report(try context.store(arguments).integrityCheckNow())
        },
        .reads("store.exportLines") { (context, arguments) throws(Fault) in
            let (store, name) = (try context.store(arguments), try arguments.soupName())
            let systemFields = try arguments.flag("systemFields", default: true)
            let lines = LineReadings(store: store, soup: name, systemFields: systemFields)
            guard try !arguments.flag("salvage", default: false) else {
                return .string(try lines.salvaged())
            }
            let isShared = context.openTransaction(arguments) == nil
            return .string(try lines.exported(toFile: isShared ? context.linesFile : nil))
        },
        .reads("store.inspect") { (context, arguments) throws(Fault) in
            let store = try context.store(arguments)
            do {
                return try store.read { reader in
                    let soups = try reader.soupNames().map { try inspected(reader.soup($0), reader) }
                    try MaintenanceReadings.requireSettings(of: reader, isEncrypted: store.options.key != nil)
                    let pending = try reader.pendingOperations().map { JSONValue.string($0.kind) }
                    return [
                        "soups": .array(soups), "pending": .array(pending),
                        "version": .number(JSONNumber(try reader.schemaVersion())),
                    ]
                }
            } catch {
                throw error as? Fault ?? Fault(.unsupported, "the reading ended with another error")
            }
        },
        .apart("store.migrate", writes: true) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            let migrations = try arguments.migrations()
            do {
                let done = try MaintenanceReadings.migrate(context.store(arguments), migrations)
                return .array(done.map(JSONValue.string))
            } catch {
                throw error as? Fault ?? Fault(.migrationFailed, "the migration ended with another error")
            }
        },
    ]

    static let capabilities: Set<Capability> = [.backup, .maintenance, .migration]

    private static func inspected(_ soup: RegisteredSoup, _ reader: borrowing StoreReader) throws(Fault) -> JSONValue {
        let (count, lastChange) = try reader.entries(of: soup)
        try MaintenanceReadings.requireCount(count, of: soup, reader)
        var indexes: [JSONValue] = []
        for spec in soup.indexSpecs {
            let (different, missing) = try reader.values(of: spec, in: soup)
            indexes.append([
                "path": .string(spec.path), "different": .number(JSONNumber(Int64(different))),
                "missing": .number(JSONNumber(Int64(missing))),
            ])
        }
        return [
            "name": .string(soup.name), "entries": .number(JSONNumber(Int64(count))),
            "lastChange": lastChange.map { .number(JSONNumber($0)) } ?? .null, "indexes": .array(indexes),
        ]
    }

    private static func summary(_ summary: BackupSummary) -> JSONValue {
        let counts = summary.soups.map { ($0.name, JSONValue.number(JSONNumber(Int64($0.entries)))) }
        let digests = summary.soups.map { ($0.name, JSONValue.string($0.digest)) }
        return [
            "entries": .object(JSONObject(counts)), "digests": .object(JSONObject(digests)),
            "bytes": .number(JSONNumber(summary.bytes)),
        ]
    }

    private static func report(_ report: IntegrityReport) -> JSONValue {
        let findings = report.findings.map { finding -> JSONValue in
            [
                "code": .string(finding.code.rawValue), "soup": finding.soup.map(JSONValue.string) ?? .null,
                "count": .number(JSONNumber(Int64(finding.count))),
            ]
        }
        return ["ok": .bool(report.isSound), "findings": .array(findings)]
    }
}

extension CallContext {
    /// Copies the store of a call to the path of another store of the same kind, which can be used by its name from
    /// then on.
    fileprivate func backUp(_ arguments: CallArguments) throws(Fault) -> BackupSummary {
        let text = try arguments.optionalText("newKey")
        let key: Key? = if let text, !text.isEmpty { try Key(passphrase: text) } else { nil }
        let name = StoreName(try copyName(arguments), isGlobal: try storeName(arguments).isGlobal)
        let store = try existingStore(arguments)
        guard try !directory.exists(name) else {
            throw Fault(.inputOutput, "there is a store of that name: remove it, or give another name")
        }
        let path = try directory.makePlace(for: name)
        let own: CopyKey = text == nil ? .same : key.map { .key($0, store.options.settings.cipher) } ?? .plain
        let summary = try store.backupNow(to: path, key: own)
        try EntryReadings.requireDigests(of: summary, in: store)
        copies.keep(text == nil ? store.options.key : key, of: name)
        return summary
    }

    private func copyName(_ arguments: CallArguments) throws(Fault) -> String {
        if let name = try arguments.optionalText("name") {
            return name
        }
        return try arguments.text("path")
    }
}

extension CallArguments {
    /// The migrations of a call: each sets values at paths in every entry of a soup.
    fileprivate func migrations() throws(Fault) -> [StoreMigration] {
        var migrations: [StoreMigration] = []
        for element in try array("migrations") {
            guard let id = element["id"]?.string, let soup = element["soup"]?.string,
                let set = element["set"]?.object
            else {
                throw Self.wrong("migrations", "must be an array of objects with id, soup and set")
            }
            let specs = try element["indexSpecs"].map { (specs) throws(Fault) in try Self.indexSpecs(specs) }
            migrations.append(
                StoreMigration(id) { context in
                    if let specs {
                        try context.registerSoup(soup, indexSpecs: specs)
                    }
                    try context.rewriteObjects(of: soup) { (entry) throws(Fault) in
                        for (path, value) in set.members {
                            try EntryEdit.set(value, at: path, in: &entry)
                        }
                        return true
                    }
                })
        }
        return migrations
    }
}
