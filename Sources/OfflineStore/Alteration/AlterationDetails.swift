import JSONText
import Soups

/// Holds what an alteration needs to know to go on after an interruption, as the JSON of its status row, in the form of
/// Mobile SDK.
struct AlterationDetails {
    let soupName: String
    let table: SoupTableName
    /// The old specs with their columns.
    let oldIndexSpecs: [IndexSpec]
    /// The new specs, without columns until the new table exists.
    let newIndexSpecs: [IndexSpec]
    let oldFeatures: [SoupFeature]
    let newFeatures: [SoupFeature]
    let reIndexData: Bool
    /// Whether the full-text columns had ordinary indexes, and whether the new ones get them.
    let hadFullTextIndexes: Bool
    let hasFullTextIndexes: Bool

    var hadFullText: Bool { oldIndexSpecs.contains { $0.type == .fullText } }
    var wasExternal: Bool { oldFeatures.contains(.externalStorage) }
    var becomesExternal: Bool { newFeatures.contains(.externalStorage) }

    var oldTable: SoupTable {
        SoupTable(
            id: table.id, indexSpecs: oldIndexSpecs, storesExternally: wasExternal,
            hasFullTextIndexes: hadFullTextIndexes)
    }
    var newTable: SoupTable {
        SoupTable(
            id: table.id, indexSpecs: newIndexSpecs, storesExternally: becomesExternal,
            hasFullTextIndexes: hasFullTextIndexes)
    }
    var newSoup: RegisteredSoup {
        RegisteredSoup(
            spec: SoupSpec(name: soupName, features: newFeatures), id: table.id, indexSpecs: newTable.indexSpecs,
            fullTextVersion: nil, hasFullTextIndexes: hasFullTextIndexes)
    }

    /// The old spec of a path whose values the new column takes over unchanged.
    func sourceOfCopy(for spec: IndexSpec) -> IndexSpec? {
        let key = ByteKey(spec.path)
        guard spec.type.hasColumn, let old = oldIndexSpecs.first(where: { ByteKey($0.path) == key }) else { return nil }
        return old.type.columnType == spec.type.columnType ? old : nil
    }

    /// Specs whose paths were json1: they keep their values too, but are computed from the entries, because SQLite's
    /// own reading of them differs.
    var convertedSpecs: [IndexSpec] {
        newTable.columnSpecs.filter { spec in
            oldIndexSpecs.contains { !$0.type.hasColumn && ByteKey($0.path) == ByteKey(spec.path) }
        }
    }

    /// json1 specs of paths that were not json1 before.
    var newJSON1Specs: [IndexSpec] {
        newTable.indexSpecs.filter { spec in
            spec.type == .json1
                && !oldIndexSpecs.contains { $0.type == .json1 && ByteKey($0.path) == ByteKey(spec.path) }
        }
    }

    /// Specs whose columns re-indexing fills: their path and type were not indexed before.
    var reIndexedSpecs: [IndexSpec] {
        newTable.columnSpecs.filter { spec in
            !oldIndexSpecs.contains { $0.type == spec.type && ByteKey($0.path) == ByteKey(spec.path) }
        }
    }
}

// MARK: - JSON
extension AlterationDetails {
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("soupName", .string(soupName)),
            ("soupTableName", .string(table.description)),
            ("oldSoupFeatures", Self.json(of: oldFeatures, soup: soupName)),
            ("newSoupFeatures", Self.json(of: newFeatures, soup: soupName)),
            ("oldIndexSpecs", .array(oldIndexSpecs.map(Self.json(of:)))),
            ("newIndexSpecs", .array(newIndexSpecs.map(Self.json(of:)))),
            ("reIndexData", .bool(reIndexData)),
        ]
        // Mobile SDK knows no such members: they are written only where its own texts cannot say it.
        if !hadFullTextIndexes {
            members.append(("oldFullTextIndexes", .bool(false)))
        }
        if !hasFullTextIndexes {
            members.append(("newFullTextIndexes", .bool(false)))
        }
        return .object(JSONObject(members))
    }

    /// Nil if the text does not describe an alteration.
    init?(json: JSONValue) {
        guard let soupName = json["soupName"]?.string,
            let table = json["soupTableName"]?.string.flatMap(SoupTableName.init),
            let old = Self.specs(json["oldIndexSpecs"]),
            let new = Self.specs(json["newIndexSpecs"]), let reIndexData = json["reIndexData"]?.bool
        else {
            return nil
        }
        self.soupName = soupName
        self.table = table
        // Columns are computed from the positions of the specs: texts of a file from elsewhere must not become part of
        // statements.
        oldIndexSpecs = SoupTable(id: table.id, indexSpecs: old, storesExternally: false).indexSpecs
        newIndexSpecs = new
        oldFeatures = Self.features(json["oldSoupFeatures"])
        newFeatures = Self.features(json["newSoupFeatures"])
        self.reIndexData = reIndexData
        hadFullTextIndexes = json["oldFullTextIndexes"]?.bool ?? true
        hasFullTextIndexes = json["newFullTextIndexes"]?.bool ?? true
    }

    private static func json(of spec: IndexSpec) -> JSONValue {
        var members: [(String, JSONValue)] = [("path", .string(spec.path)), ("type", .string(spec.type.rawValue))]
        if let column = spec.columnName {
            members.append(("columnName", .string(column)))
        }
        return .object(JSONObject(members))
    }

    private static func json(of features: [SoupFeature], soup: String) -> JSONValue {
        .object(JSONObject([("name", .string(soup)), ("features", .array(features.map { .string($0.rawValue) }))]))
    }

    private static func specs(_ json: JSONValue?) -> [IndexSpec]? {
        guard let elements = json?.array else { return nil }
        var specs: [IndexSpec] = []
        for element in elements {
            guard let path = element["path"]?.string,
                let type = element["type"]?.string.flatMap(IndexType.init(rawValue:))
            else {
                return nil
            }
            specs.append(IndexSpec(path: path, type: type, columnName: element["columnName"]?.string))
        }
        return specs
    }

    private static func features(_ json: JSONValue?) -> [SoupFeature] {
        (json?["features"]?.array ?? []).compactMap { $0.string.flatMap(SoupFeature.init(rawValue:)) }
    }
}
