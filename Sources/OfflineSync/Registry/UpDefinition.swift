import JSONText
import Soups

/// The definition of a target for syncs up, as far as it can be checked before a run.
struct UpDefinition: Sendable {
    /// How records are sent.
    enum Kind: String, Sendable {
        case single, composite, collection
        case parentChildren = "parent_children"
        /// A target of the app.
        case custom
    }

    /// What happens to a row whose creation is in doubt.
    enum DoubtMode: String, Sendable {
        /// It is held until the app decides.
        case hold
        /// It is sent again.
        case resend
    }

    let kind: Kind
    let fields: TargetFields
    let createFields: [String]?
    let updateFields: [String]?
    let externalIdField: String?
    let generatesKeys: Bool
    let doubt: DoubtMode
    /// The most records of one call; nil for a kind that has no limit of its own here.
    let batchSize: Int?
    /// The parents and children of that kind.
    let trees: UpTrees?
    /// The definition as it was given.
    let given: JSONObject
    private let implementation: String

    /// - Parameters:
    ///   - isComplete: Whether parents and children must be there, where the kind needs them.
    ///   - isRegistered: Whether the app has added a target of this name. In place of one that it has not, the class
    ///     of another implementation counts, where the definition names one that is known.
    /// - Throws: `invalidSync`, which names the key.
    init(_ json: JSONObject, isComplete: Bool = true, isRegistered: Bool = true) throws(Fault) {
        let reader = DefinitionReader(json)
        try Self.checkDirection(reader)
        given = json
        fields = try TargetFields(reader)
        (kind, implementation) = try Self.kind(reader, isRegistered: isRegistered)
        createFields = try reader.names("createFieldlist")
        updateFields = try reader.names("updateFieldlist")
        externalIdField = try reader.name("externalIdFieldName")
        generatesKeys = try reader.flag("generatesExternalId")
        doubt = try reader.choice("doubt", DoubtMode.self) ?? .hold
        switch kind {
        case .composite: batchSize = try reader.count("maxBatchSize", 1...25, default: 25)
        case .collection: batchSize = try reader.count("maxBatchSize", 1...200, default: 200)
        case .single, .parentChildren, .custom: batchSize = nil
        }
        trees = kind == .parentChildren && isComplete ? try UpTrees(reader) : nil
    }

    var json: JSONObject {
        var members: [(String, JSONValue)] = [("swiftImpl", .string(implementation))]
        if let batchSize {
            members.append(("maxBatchSize", .number(JSONNumber(Int64(batchSize)))))
        }
        members.append(("generatesExternalId", .bool(generatesKeys)))
        members.append(("doubt", .string(doubt.rawValue)))
        var json = fields.json(members)
        if let trees {
            json["parent"] = .object(trees.parent.json)
            json["children"] = .object(trees.children.json)
            json["idFieldName"] = .string(trees.parent.id)
            json["modificationDateFieldName"] = .string(trees.parent.modification)
        }
        return json
    }

    /// Refuses a target of the other direction. Trees have the same type in both.
    private static func checkDirection(_ reader: DefinitionReader) throws(Fault) {
        guard let type = try reader.text("type") else { return }
        guard ["rest", "custom", "parent_children"].contains(type) else {
            throw DefinitionReader.wrong("type", "is not that of a sync up")
        }
    }

    /// The kind: by our own name, or by what the class of another implementation means.
    private static func kind(_ reader: DefinitionReader, isRegistered: Bool) throws(Fault) -> (Kind, String) {
        let name = try reader.text("swiftImpl")
        if let name, let kind = Kind(rawValue: name), kind != .custom {
            return (kind, name)
        }
        // A run looks for a target of the app under each of these names.
        try reader.checkClassNames()
        if let name, isRegistered {
            return (.custom, name)
        }
        let type = try reader.text("type")
        let (isCustom, isOfTrees) = (type == "custom", type == "parent_children")
        var custom: String?
        for key in ["iOSImpl", "androidImpl"] {
            guard let name = try reader.text(key) else { continue }
            var last = Array(name.utf8.split(separator: UInt8(ascii: ".")).last ?? [])
            if last.starts(with: "SF".utf8) {
                last.removeFirst(2)
            }
            let kind: Kind
            switch String(decoding: last, as: UTF8.self) {
            case "SyncUpTarget": kind = .single
            case "BatchSyncUpTarget": kind = .composite
            case "CollectionSyncUpTarget": kind = .collection
            case "ParentChildrenSyncUpTarget": kind = .parentChildren
            default:
                custom = custom ?? name
                continue
            }
            return (kind, kind.rawValue)
        }
        if let custom = name ?? (isCustom ? custom : nil) {
            return (.custom, custom)
        }
        // Trees have the same type in both directions. Fields to ask for, and no word on how trees are sent, make the
        // target of a sync down: a collection would send the parents alone.
        guard reader.json["parentFieldlist"] == nil || !isOfTrees else {
            throw DefinitionReader.wrong("type", "is not that of a sync up; add swiftImpl for one of trees")
        }
        return (.collection, Kind.collection.rawValue)
    }
}

/// The parents and children of a target for syncs up.
struct UpTrees: Sendable {
    let parent: TreePart
    let children: TreePart
    let plural: String
    let parentIdField: String
    let relationship: ParentChildrenDown.Relationship
    let childrenCreateFields: [String]?
    let childrenUpdateFields: [String]?
    let parentExternalIdField: String?
    let childrenExternalIdField: String?

    init(_ reader: DefinitionReader) throws(Fault) {
        let parentReader = DefinitionReader(try reader.requiredObject("parent"))
        let childReader = DefinitionReader(try reader.requiredObject("children"))
        parent = try TreePart(parentReader, fields: [])
        children = try TreePart(childReader, fields: [])
        plural = try childReader.requiredName("sobjectTypePlural")
        parentIdField = try childReader.requiredName("parentIdFieldName")
        relationship = try reader.requiredChoice("relationshipType", ParentChildrenDown.Relationship.self)
        childrenCreateFields = try reader.names("childrenCreateFieldlist")
        childrenUpdateFields = try reader.names("childrenUpdateFieldlist")
        parentExternalIdField = try parentReader.name("externalIdFieldName")
        childrenExternalIdField = try childReader.name("externalIdFieldName")
    }
}
