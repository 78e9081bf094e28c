import EntryCoding
import JSONText
import OfflineStore
import Soups

/// The calls that read whole entries without a cursor, and write over them.
enum WholeEntryCalls {
    static let all: [CallHandler] = [
        .reads("readEntries") { (context, arguments) throws(Fault) in
            let readings = EntryReadings(
                store: try context.store(arguments), soup: try arguments.soupName(),
                isInTransaction: context.openTransaction(arguments) != nil)
            switch (arguments.value("entryIds"), arguments.value("querySpec")) {
            case (_?, nil): return try readings.entries(ids: arguments.integers("entryIds"))
            case (nil, _?): return try readings.entries(arguments.querySpec(), limit: arguments.optionalInt("limit"))
            case (nil, nil): throw Fault(.invalidArguments, "entryIds or querySpec is missing; give one of them")
            default: throw Fault(.invalidArguments, "give either entryIds or querySpec, not both")
            }
        },
        .writes("storeValues") { (context, arguments) throws(Fault) in
            let (store, soup) = (try context.store(arguments), try arguments.soupName())
            let path = try arguments.optionalText("externalIdPath")
            let values = try arguments.array("entries").map { CodableTree($0) }
            let ids = try EntryReadings.ownFaults {
                guard values.count != 1 else {
                    return [try store.upsert(value: values[0], into: soup, externalIdPath: path)]
                }
                return try store.upsert(values: values, into: soup, externalIdPath: path)
            }
            return .array(ids.map { .number(JSONNumber($0)) })
        },
        .writes("replaceEntries") { (context, arguments) throws(Fault) in
            let (store, soup) = (try context.store(arguments), try arguments.soupName())
            let values = try arguments.identified("entries")
            try EntryReadings.ownFaults {
                try store.transaction { transaction in try transaction.update(values, in: soup) }
            }
            return true
        },
    ]

    static let capabilities: Set<Capability> = [.wholeEntries]
}

extension CallArguments {
    /// Entries with the ids that they have.
    fileprivate func identified(_ name: String) throws(Fault) -> [Identified<CodableTree>] {
        var values: [Identified<CodableTree>] = []
        for element in try array(name) {
            guard let id = element["_soupEntryId"]?.int64 else {
                throw Self.wrong(name, "must be an array of objects with _soupEntryId")
            }
            values.append(Identified(id: id, value: CodableTree(element)))
        }
        return values
    }
}
