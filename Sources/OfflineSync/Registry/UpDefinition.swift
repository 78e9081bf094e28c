import JSONText
import Soups

/// The definition of a target for syncs up, as far as it can be checked before a run.
struct UpDefinition {
    private let fields: TargetFields
    private let implementation: String
    /// The most records of one call; nil for a kind that has no limit of its own here.
    private let batchSize: Int?

    /// - Throws: `invalidSync`, which names the key.
    init(_ json: JSONObject) throws(Fault) {
        let reader = DefinitionReader(json)
        fields = try TargetFields(reader)
        implementation = try Self.implementation(reader)
        for key in ["createFieldlist", "updateFieldlist"] {
            _ = try reader.names(key)
        }
        _ = try reader.name("externalIdFieldName")
        switch implementation {
        case "composite": batchSize = try reader.count("maxBatchSize", 1...25, default: 25)
        case "collection": batchSize = try reader.count("maxBatchSize", 1...200, default: 200)
        default: batchSize = nil
        }
        if let doubt = try reader.text("doubt"), !["hold", "resend"].contains(where: { ByteKey($0) == ByteKey(doubt) })
        {
            throw DefinitionReader.wrong("doubt", "must be hold or resend")
        }
    }

    var json: JSONObject {
        var members: [(String, JSONValue)] = [("swiftImpl", .string(implementation))]
        if let batchSize {
            members.append(("maxBatchSize", .number(JSONNumber(Int64(batchSize)))))
        }
        return fields.json(members)
    }

    /// The kind: our own name, or what the class of another implementation means.
    private static func implementation(_ reader: DefinitionReader) throws(Fault) -> String {
        if let name = try reader.text("swiftImpl") {
            return name
        }
        for key in ["iOSImpl", "androidImpl"] {
            guard let name = try reader.text(key) else { continue }
            var last = Array(name.utf8.split(separator: UInt8(ascii: ".")).last ?? [])
            if last.starts(with: "SF".utf8) {
                last.removeFirst(2)
            }
            switch String(decoding: last, as: UTF8.self) {
            case "SyncUpTarget": return "single"
            case "BatchSyncUpTarget": return "composite"
            case "CollectionSyncUpTarget": return "collection"
            case "ParentChildrenSyncUpTarget": return "parent_children"
            default: continue
            }
        }
        return "collection"
    }
}
