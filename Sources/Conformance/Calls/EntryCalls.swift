import JSONText
import OfflineStore
import Soups

/// The calls about entries.
enum EntryCalls {
    static let all: [CallHandler] = [
        .writes("upsertSoupEntries") { (context, arguments) throws(Fault) in
            let store = try context.store(arguments)
            let name = try arguments.soupName()
            let externalIdPath = try arguments.optionalText("externalIdPath")
            let stored: [[UInt8]]
            if let text = try arguments.optionalText("text") {
                guard arguments.value("entries") == nil else {
                    throw Fault(.invalidArguments, "give either entries or text, not both")
                }
                stored = try store.upsert(array: Array(text.utf8), into: name, externalIdPath: externalIdPath)
            } else {
                stored = try store.upsert(
                    arguments.array("entries").map { $0.bytes(.compact) }, into: name, externalIdPath: externalIdPath)
            }
            return .array(try stored.map { (entry) throws(Fault) in try CallResults.entry(entry) })
        },
        .reads("retrieveSoupEntries") { (context, arguments) throws(Fault) in
            let entries = try context.store(arguments).retrieve(
                ids: arguments.integers("entryIds"), from: arguments.soupName())
            return .array(try entries.map { (entry) throws(Fault) in try CallResults.entry(entry) })
        },
        .writes("removeFromSoup") { (context, arguments) throws(Fault) in
            let store = try context.store(arguments)
            let name = try arguments.soupName()
            switch (arguments.value("entryIds"), arguments.value("querySpec")) {
            case (_?, nil): try store.remove(ids: arguments.integers("entryIds"), from: name)
            case (nil, _?): try store.remove(matching: arguments.querySpec(), from: name)
            case (nil, nil): throw Fault(.invalidArguments, "entryIds or querySpec is missing; give one of them")
            default: throw Fault(.invalidArguments, "give either entryIds or querySpec, not both")
            }
            return "OK"
        },
    ]
}
