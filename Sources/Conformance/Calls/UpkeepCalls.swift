import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// The calls about a whole store and its file: lines in, copies put back, what takes its bytes, and making it smaller.
enum UpkeepCalls {
    static let all: [CallHandler] = [
        .writes("store.load") { (context, arguments) throws(Fault) in
            let lines = Array(try arguments.text("lines").utf8)
            let progress = try context.store(arguments).load(
                jsonLines: ByteSource(lines), into: arguments.soupName(),
                externalIdPath: arguments.optionalText("externalIdPath"),
                entriesPerTransaction: arguments.optionalInt("entriesPerTransaction") ?? 1000)
            return ["entries": number(Int64(progress.entries)), "lines": number(Int64(progress.lines))]
        },
        .apart("store.restore", writes: true) { (context, arguments) throws(Fault) in
            try context.restore(arguments)
            return true
        },
        .reads("store.sizes") { (context, arguments) throws(Fault) in
            sizes(try context.store(arguments).sizesNow())
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
            try SyncCalls.awaiting { try await store.optimize() }
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
