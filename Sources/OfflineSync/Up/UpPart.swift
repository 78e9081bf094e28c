import JSONText
import LocalChanges
import OfflineStore
import Soups

/// What a sync up knows of the rows of one soup: their ids, their type, and the fields that are sent.
struct UpPart: Sendable {
    let soup: String
    let idField: String
    let modificationField: String
    /// The type of all records; nil if each row names its own.
    let objectType: String?
    /// The fields of a creation without those that are never sent; nil for no list.
    let createFields: [String]?
    /// The fields of an update without those that are never sent; nil for no list.
    let updateFields: [String]?
    let externalIdField: String?
    let generatesKeys: Bool
    /// The member with the parent's id; nil where there are no parents.
    let parentIdField: String?
    /// Whether a row without a list sends all its fields, and not none.
    var sendsAllFields = false
    /// Whether calls have the ids of records in their paths.
    var namesIdsInPaths = true
    /// Whether calls are composite ones, whose parts may refer to those before them.
    var isComposite = false
    /// The number of the soup with which a run began; nil outside of runs.
    var soupId: Int64?

    init(
        soup: String, fields: TargetFields, objectType: String? = nil, create: [String]?, update: [String]?,
        externalIdField: String?, generatesKeys: Bool, parentIdField: String? = nil
    ) {
        self.soup = soup
        idField = fields.id
        modificationField = fields.modification
        self.objectType = objectType
        self.externalIdField = externalIdField
        self.generatesKeys = generatesKeys
        self.parentIdField = parentIdField
        let unsent = Set([fields.id, fields.modification, parentIdField].compactMap { $0 }.map { ByteKey($0) })
        func sent(_ fields: [String]?) -> [String]? {
            var seen = unsent
            return fields?.filter { Self.isField($0) && seen.insert(ByteKey($0)).inserted }
        }
        createFields = sent(create)
        updateFields = sent(update)
    }

    /// The part of a plain target.
    init(_ definition: UpDefinition, soup: String, options: SyncOptions) {
        self.init(
            soup: soup, fields: definition.fields, create: definition.createFields ?? options.fieldlist,
            update: definition.updateFields ?? options.fieldlist, externalIdField: definition.externalIdField,
            generatesKeys: definition.generatesKeys)
        sendsAllFields = definition.kind == .custom
        namesIdsInPaths = definition.kind != .collection
        isComposite = definition.kind == .composite
    }

    /// The part with the number of the soup with which a run of a sync begins.
    func begun(by state: SyncState) -> UpPart {
        var part = self
        part.soupId = state.soupId(of: soup)
        return part
    }

    /// Whether the soup is the one with which the run began, and not another one of its name.
    func isPresent(in store: SmartStore) throws(Fault) -> Bool {
        guard let soupId else { return true }
        return try store.soupId(soup) == soupId
    }

    /// Requires the soup with which the run began.
    ///
    /// - Throws: `soupNotFound` if it was removed since, also if there is another one of its name.
    func requirePresent(in store: SmartStore) throws(Fault) {
        guard try isPresent(in: store) else {
            throw SoupCheck.replaced(soup)
        }
    }

    /// Whether a name, or the first step of a path, is that of a field of the record.
    private static func isField(_ name: String) -> Bool {
        ReservedField.isField(String(name.prefix { $0 != "." }))
    }
}

extension UpPart {
    /// What a row asks for.
    enum Task {
        /// The row has no local changes.
        case clean
        /// The row says that it was changed, and not how; or it has an id that no call can name.
        case nothing(LocalError)
        /// The service has never had the row: it is taken out.
        case removal
        /// The row is sent.
        case record(PendingRecord)
    }

    /// Reads what a row asks for.
    ///
    /// - Throws: `noFields` if there is no list of the fields to send.
    func task(of text: RowText) throws(Fault) -> Task {
        guard text.isTrue(ReservedField.local) else { return .clean }
        let flags = text.flags
        let id = text.serviceId(idField)
        switch flags.operation {
        case nil: return .nothing(.noOperation)
        case .delete where flags.isCreated || id == nil: return .removal
        case .delete: return try checked(record(.delete, text, id))
        case .update where id != nil: return try checked(record(.update, text, id))
        case .create, .update: return try checked(record(.create, text, nil))
        }
    }

    /// The record of a row that is created, also of one that was only updated.
    func creation(of text: RowText, isRecreation: Bool = false) throws(Fault) -> PendingRecord {
        // The id that is gone must not be taken for a key of the new record.
        let usesKey = !isRecreation || externalIdField.map { ByteKey($0) } != ByteKey(idField)
        var record = try record(.create, text, nil, usesKey: usesKey)
        record.isRecreation = isRecreation
        return record
    }

    /// The record of a row.
    func record(
        _ operation: LocalFlags.Operation, _ text: RowText, _ id: RecordId?, usesKey: Bool = true,
        needsFields: Bool = true
    ) throws(Fault) -> PendingRecord {
        guard let entryId = text.value("_soupEntryId")?.int64 else {
            throw Fault(.corrupt, "a stored row has no entry id", context: [.soup(soup)])
        }
        let key = operation == .create && usesKey ? upsertKey(text) : nil
        let fields = needsFields ? try fields(of: text, operation, without: key) : []
        return PendingRecord(
            entryId: entryId, operation: operation, recordId: id, objectType: objectType ?? Self.type(of: text),
            body: Self.object(fields), text: text, key: key)
    }

    /// The fields that are sent of a row, as they are written, in the order of their list.
    func fields(
        of text: RowText, _ operation: LocalFlags.Operation, without key: UpsertKey? = nil
    ) throws(Fault) -> [(name: String, value: ArraySlice<UInt8>)] {
        guard operation != .delete else { return [] }
        guard let names = names(operation, text) else {
            throw Fault(
                .noFields, "the sync names no fields to \(operation.rawValue) with; add a field list",
                context: [.soup(soup)])
        }
        let unsent = key.map { ByteKey($0.field) }
        return names.compactMap { name in
            guard unsent != ByteKey(name), let value = text.field(name) else { return nil }
            return (name, value)
        }
    }

    /// The names of the fields of an operation; nil without a list.
    func names(_ operation: LocalFlags.Operation, _ text: RowText? = nil) -> [String]? {
        let listed = operation == .update ? updateFields : createFields
        guard listed == nil, sendsAllFields, let text else { return listed }
        let unsent = Set([idField, modificationField].map { ByteKey($0) })
        return text.fieldNames.filter { !unsent.contains(ByteKey($0)) }
    }

    /// The key by which the service finds or creates the record; nil for a plain creation.
    private func upsertKey(_ text: RowText) -> UpsertKey? {
        guard let field = externalIdField, let id = text.serviceId(field), let value = text[field] else { return nil }
        return UpsertKey(field: field, text: id.text, value: Array(value))
    }

    /// Whether a row needs a key before it is created.
    func lacksKey(_ text: RowText) -> Bool {
        guard generatesKeys, let field = externalIdField, ByteKey(field) != ByteKey(idField) else { return false }
        switch text.value(field) {
        case nil, .null?: return true
        case .string(let key)?: return key.isEmpty
        default: return false
        }
    }

    private func checked(_ record: PendingRecord) -> Task {
        obstacle(to: record).map(Task.nothing) ?? .record(record)
    }

    /// Why no call can carry the type, the id and the key of a record; nil if one can.
    func obstacle(to record: PendingRecord) -> LocalError? {
        if !namesIdsInPaths, record.operation == .delete, Self.isList(record.id) {
            return .severalIds
        }
        let ids = namesIdsInPaths ? [record.recordId?.text, record.key?.text] : []
        return (ids + [record.objectType]).contains { $0.map(Self.isStep) ?? false } ? .stepInPath : nil
    }

    /// Whether a record must be the first one of its call.
    func mustBeFirst(_ record: PendingRecord) -> Bool { isComposite && record.namesReference }

    /// Whether the list of ids of a deletion would have this one as several: the service would delete other records.
    private static func isList(_ id: String?) -> Bool { id?.utf8.contains(UInt8(ascii: ",")) ?? false }

    /// Whether a text would be taken for a step in a path.
    static func isStep(_ text: String) -> Bool { text == "." || text == ".." }

    private static func type(of text: RowText) -> String? {
        guard let type = text.value(ReservedField.attributes)?["type"]?.string, !type.isEmpty else { return nil }
        return type
    }

    /// Fields as the text of an object.
    static func object(_ fields: [(name: String, value: ArraySlice<UInt8>)]) -> [UInt8] {
        var body: [UInt8] = [UInt8(ascii: "{")]
        for (name, value) in fields {
            if body.count > 1 {
                body.append(UInt8(ascii: ","))
            }
            body += JSONValue.string(name).bytes()
            body.append(UInt8(ascii: ":"))
            body += value
        }
        body.append(UInt8(ascii: "}"))
        return body
    }
}
