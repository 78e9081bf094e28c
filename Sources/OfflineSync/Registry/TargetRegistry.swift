public import JSONText
public import Soups

/// Creates targets from their definitions: those of this package, and those that an app adds under names of its own.
///
/// ```swift
/// var options = SyncManagerOptions()
/// options.targets.addDown("NoteTarget") { definition in NoteTarget(json: definition) }
/// // {"type": "custom", "swiftImpl": "NoteTarget"} is now such a target.
/// ```
///
/// A definition is a JSON object. All may name `idFieldName` (by default `Id`) and `modificationDateFieldName`
/// (`LastModifiedDate`). That of a target for syncs down has a `type`:
///
/// | `type` | further members, with their defaults in parentheses |
/// | --- | --- |
/// | `soql` | `query`; `maxBatchSize` from 200 to 2,000 records (2,000) |
/// | `sosl` | `query` |
/// | `mru` | `sobjectType`, `fieldlist` |
/// | `refresh` | `soupName`, `sobjectType`, `fieldlist`; `countIdsPerSoql` from 1 to 500 ids (500) |
/// | `metadata` | `sobjectType` |
/// | `layout` | `sobjectType`; `layoutType` (`Full`), `formFactor`, `mode`, `recordTypeId` |
/// | `parent_children` | `parent`, `children`, `parentFieldlist`, `childrenFieldlist`, `relationshipType` |
/// | `custom` | `swiftImpl`, the name under which the app added it |
///
/// `parent` and `children` are objects with `sobjectType` and `soupName`; `children` also has `sobjectTypePlural` and
/// `parentIdFieldName`. `relationshipType` is `MASTER_DETAIL` or `LOOKUP`, and `parentSoqlFilter` may limit the
/// parents.
///
/// That of a target for syncs up has `swiftImpl`: `single` (a call for each record), `composite` (`maxBatchSize` up to
/// 25 records), `collection` (up to 200; the default), `parent_children`, or a name under which the app added it.
/// Further members are `createFieldlist`, `updateFieldlist`, `externalIdFieldName`, `generatesExternalId` (false), and
/// `doubt`, `hold` or `resend` (`hold`); see ``SyncManager``.
public struct TargetRegistry: Sendable {
    /// Creates a target from its definition. Throws `invalidSync` for one that it cannot use.
    public typealias DownFactory = @Sendable (JSONObject) throws(Fault) -> any DownTarget

    /// Creates a target of a sync up from its definition. Throws `invalidSync` for one that it cannot use.
    public typealias UpFactory = @Sendable (JSONObject) throws(Fault) -> any UpTarget

    private var down: [ByteKey: DownFactory] = [:]
    private var up: [ByteKey: UpFactory] = [:]

    /// Creates a registry of the targets of this package.
    public init() {}

    /// Adds a target for syncs down with the type `custom`, in place of a former one with this name.
    public mutating func addDown(_ name: String, _ factory: @escaping DownFactory) { down[ByteKey(name)] = factory }

    /// Adds a target for syncs up whose `swiftImpl` is this name, in place of a former one with this name. The names of
    /// the targets of this package cannot be taken.
    public mutating func addUp(_ name: String, _ factory: @escaping UpFactory) { up[ByteKey(name)] = factory }

    /// Creates the target of a sync down.
    ///
    /// - Throws: `unknownTarget`; `invalidSync`, which names the key; `invalidSOQL` with the offset into the query.
    public func downTarget(_ json: JSONObject) throws(Fault) -> any DownTarget {
        let reader = DefinitionReader(json)
        switch try Self.kind(reader) {
        case .soql: return try SOQLTarget(reader)
        case .sosl: return try SOSLTarget(reader)
        case .mru: return try MRUTarget(reader)
        case .refresh: return try RefreshTarget(reader)
        case .metadata: return try MetadataTarget(reader)
        case .layout: return try LayoutTarget(reader)
        case .parentChildren: return try ParentChildrenDown(reader)
        case .custom: return try custom(reader)
        }
    }

    /// The definition of a target with its defaults filled in, as it is stored. That of a custom target stays as it is:
    /// the app may add it later.
    func normalized(_ json: JSONObject, type: SyncType) throws(Fault) -> JSONObject {
        switch type {
        case .up: return try UpDefinition(json).json
        case .down:
            let reader = DefinitionReader(json)
            guard try Self.kind(reader) != .custom else {
                try reader.checkClassNames()
                return try TargetFields(reader).json([])
            }
            return try downTarget(json).json
        }
    }

    /// The kinds of targets for syncs down, as definitions name them.
    private enum DownKind: String {
        case soql, sosl, mru, refresh, metadata, layout, custom
        case parentChildren = "parent_children"
    }

    private static func kind(_ reader: DefinitionReader) throws(Fault) -> DownKind {
        let type = try reader.required("type")
        guard let kind = DownKind(rawValue: type) else {
            throw Fault(.unknownTarget, "the type of a target is not known", context: [.path("type")])
        }
        return kind
    }

    private func custom(_ reader: DefinitionReader) throws(Fault) -> any DownTarget {
        guard let factory = try Self.factory(reader, among: down) else { throw Self.unknown }
        return try factory(reader.json)
    }

    /// Creates what sends the records of a custom target for syncs up.
    ///
    /// - Throws: `unknownTarget`, and what the factory throws.
    func upTarget(_ json: JSONObject) throws(Fault) -> any BatchSender {
        guard let factory = try Self.factory(DefinitionReader(json), among: up) else { throw Self.unknown }
        return CustomSender(try factory(json))
    }

    /// Whether the app has added the custom target for syncs up that a definition names.
    func hasUpTarget(_ json: JSONObject) throws(Fault) -> Bool {
        // Names of the app do not count next to one of this package.
        let kind = json["swiftImpl"]?.string.flatMap { UpDefinition.Kind(rawValue: $0) } ?? .custom
        guard kind == .custom else { return false }
        return try Self.factory(DefinitionReader(json), among: up) != nil
    }

    private static let unknown = Fault(
        .unknownTarget, "no target was added under the name of this custom target; add it first")

    /// The factory under the name of a definition: the whole name, or what follows its last dot.
    private static func factory<Factory>(
        _ reader: DefinitionReader, among factories: [ByteKey: Factory]
    ) throws(Fault) -> Factory? {
        for key in DefinitionReader.classNames {
            guard let name = try reader.text(key) else { continue }
            let last = name.utf8.split(separator: UInt8(ascii: ".")).last.map { String(decoding: $0, as: UTF8.self) }
            if let factory = factories[ByteKey(name)] ?? last.flatMap({ factories[ByteKey($0)] }) {
                return factory
            }
        }
        return nil
    }
}
