import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// The calls about a whole store and its file: lines in, copies put back, what takes its bytes, and making it smaller.
enum UpkeepCalls {
    static let all: [CallHandler] = [
        .writes("store.load") { (context, arguments) throws(Fault) in
            let progress = try context.load(arguments)
            return ["entries": number(Int64(progress.entries)), "lines": number(Int64(progress.lines))]
        },
        .apart("store.restore", writes: true) { (context, arguments) throws(Fault) in
            try context.restore(arguments)
            return true
        },
        .reads("store.sizes") { (context, arguments) throws(Fault) in
            let store = try context.store(arguments)
            let report = try store.sizesNow()
            for soup in report.soups {
                guard try store.externalStorage(ofSoup: soup.name).bytes == soup.files else {
                    throw EntryReadings.disagreement("of one soup")
                }
            }
            return sizes(report)
        },
        .apart("store.compact", writes: true) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            let store = try context.store(arguments)
            let (before, after) = try SyncCalls.awaiting { try await store.compact() }
            return ["before": number(before), "after": number(after), "isSmaller": .bool(after < before)]
        },
        .apart("store.optimize", writes: true) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            let store = try context.store(arguments)
            try SyncCalls.awaiting {
                try await store.optimize()
                _ = try await store.checkpoint()
            }
            return true
        },
    ]

    static let capabilities: Set<Capability> = [.load, .restoration, .upkeep]

    private static func number(_ integer: Int64) -> JSONValue { .number(JSONNumber(integer)) }

    private static func sizes(_ report: SizeReport) -> JSONValue {
        let soups = report.soups.map { soup -> JSONValue in
            [
                "name": .string(soup.name), "entries": number(Int64(soup.entries)), "table": number(soup.table),
                "indexes": number(soup.indexes), "fullText": number(soup.fullText), "files": number(soup.files),
            ]
        }
        return [
            "soups": .array(soups), "file": number(report.file), "free": number(report.free),
            "log": number(report.log), "isEstimated": .bool(report.isEstimated),
        ]
    }
}

extension CallContext {
    /// Loads lines from memory; or, where transactions have a size and are not part of another one, from a file.
    fileprivate func load(_ arguments: CallArguments) throws(Fault) -> LoadProgress {
        let (store, soup) = (try store(arguments), try arguments.soupName())
        let lines = Array(try arguments.text("lines").utf8)
        let path = try arguments.optionalText("externalIdPath")
        guard let size = try arguments.optionalInt("entriesPerTransaction"), openTransaction(arguments) == nil else {
            return try store.load(
                jsonLines: ByteSource(lines), into: soup, externalIdPath: path,
                entriesPerTransaction: arguments.optionalInt("entriesPerTransaction") ?? 1000)
        }
        return try withFile(of: lines) { (file) throws(Fault) in
            try SyncCalls.awaiting {
                try await store.load(
                    jsonLines: file, into: soup, externalIdPath: path, entriesPerTransaction: size)
            }
        }
    }

    /// Puts a copy of one store in the place of the call's store, which keeps its key and its options. Both are closed
    /// for that, and opened again.
    fileprivate func restore(_ arguments: CallArguments) throws(Fault) {
        let name = try storeName(arguments)
        let source = StoreName(try arguments.text("from"), isGlobal: name.isGlobal)
        guard source != name else {
            throw CallArguments.wrong("from", "must be the name of another store")
        }
        guard try directory.exists(source) else {
            throw Fault(.storeNotFound, "unknown store: give the name of a backup", context: [.store(source.name)])
        }
        let (backup, store) = (try self.store(source), try self.store(name))
        var key = backup.options.key
        if let text = try arguments.optionalText("key") {
            key = text.isEmpty ? nil : try Key(passphrase: text)
        }
        let options = store.options
        let (from, target) = (backup.path, store.path)
        let own: CopyKey = options.key.map { .key($0, options.settings.cipher) } ?? .plain
        try whileClosed([source, name]) { () throws(Fault) in
            try SyncCalls.awaiting { [key] in
                try await SmartStore.restore(
                    from: from, key: key, to: target, storeKey: own, replacing: true, options: options)
            }
        }
    }
}
