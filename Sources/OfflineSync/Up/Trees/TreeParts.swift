import JSONText
import LocalChanges
import OfflineStore
import Soups

/// The two soups of trees, and what is sent of their rows.
struct TreeParts: Sendable {
    private(set) var parent: UpPart
    private(set) var children: UpPart
    let definition: UpTrees

    init(_ trees: UpTrees, _ definition: UpDefinition, _ options: SyncOptions) {
        self.definition = trees
        parent = UpPart(
            soup: trees.parent.soup, fields: trees.parent.names, objectType: trees.parent.objectType,
            create: definition.createFields ?? options.fieldlist, update: definition.updateFields ?? options.fieldlist,
            externalIdField: trees.parentExternalIdField ?? definition.externalIdField,
            generatesKeys: definition.generatesKeys)
        children = UpPart(
            soup: trees.children.soup, fields: trees.children.names, objectType: trees.children.objectType,
            create: trees.childrenCreateFields, update: trees.childrenUpdateFields,
            externalIdField: trees.childrenExternalIdField, generatesKeys: definition.generatesKeys,
            parentIdField: trees.parentIdField)
    }

    /// The parts with the numbers of the soups with which a run of a sync begins.
    func begun(by state: SyncState) -> TreeParts {
        var parts = self
        parts.parent = parent.begun(by: state)
        parts.children = children.begun(by: state)
        return parts
    }

    /// Requires the soups with which the run began. Throws `soupNotFound`.
    func requirePresent(in store: SmartStore) throws(Fault) {
        try parent.requirePresent(in: store)
        try children.requirePresent(in: store)
    }

    var parentIdField: String { definition.parentIdField }
    /// Whether children go with their parent.
    var isMasterDetail: Bool { definition.relationship == .masterDetail }

    /// Whether any list of fields is missing.
    var lacksFields: Bool {
        [parent.createFields, parent.updateFields, children.createFields, children.updateFields].contains { $0 == nil }
    }

    /// The entry ids of the children of a parent, in their order.
    func childIds(of parent: RowText, _ store: SmartStore) throws(Fault) -> [Int64] {
        guard let id = self.parent.rowId(parent) else { return [] }
        return try SoupRows(store, soup: children.soup).ids(where: parentIdField, isOneOf: [id.key]).sorted()
    }

    /// A row; `nil` if the soup has no such row.
    func text(_ entryId: Int64, isParent: Bool, _ store: SmartStore) throws(Fault) -> RowText? {
        guard let bytes = try store.retrieve(id: entryId, from: isParent ? parent.soup : children.soup) else {
            return nil
        }
        return try RowText(bytes)
    }
}

extension UpPart {
    /// The id of a row, also a local one.
    func rowId(_ text: RowText) -> RecordId? { text.recordId(at: idField) }

    /// The id that the service has for a row, as it is written; nil if it has none.
    func serviceIdText(_ text: RowText) -> [UInt8]? {
        guard text.serviceId(idField) != nil else { return nil }
        return text[idField].map { Array($0) }
    }
}

extension RowText {
    /// The id that a field has, also a local one; nil for a field without an id.
    func recordId(at field: String) -> RecordId? {
        switch value(field) {
        case .string(let id)? where !id.isEmpty: RecordId(id)
        case .number(let number)?: RecordId(number.text, isNumber: true)
        default: nil
        }
    }
}
