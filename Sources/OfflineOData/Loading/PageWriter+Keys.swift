import JSONText
import LocalChanges
import Soups

// Keys of a former form, which rows may have after the metadata of a set got another key.
extension PageWriter {
    /// Renews the keys of rows that were changed since the last page. Before the first entity of a page.
    ///
    /// - Parameter renewal: Nil where rows have no keys of a former form.
    func renewKeys(_ renewal: inout KeyRenewal?) throws(Fault) {
        guard let replaced = try renewal?.run() else { return }
        renewsKeys = true
        for row in replaced {
            let entity = ArrivedEntity(
                key: row.keyText, properties: row.properties(of: set), control: row.control)
            try save(entity, of: set, isPartial: row.isPartial, LoadExpansions())
        }
        try flush()
        formerKeys = try FormerKeys(store, set)
    }

    /// Reads the rows of entities that come next, also those that wait for them.
    func prepare(_ arrived: [Arrived]) throws(Fault) {
        var keys = arrived.map(\.key)
        if let formerKeys {
            for arrived in arrived {
                keys += formerKeys.texts(for: try arrived.entity())
            }
        }
        try buffer(set).prepare(keys)
    }

    /// Gives the row that waits for an entity its key.
    func giveKey(of entity: ArrivedEntity, of set: MappedEntitySet) throws(Fault) {
        guard let formerKeys, ByteKey(set.name) == ByteKey(self.set.name) else { return }
        for text in formerKeys.texts(for: entity) {
            guard let id = try buffer(set).row(text)?.entryId else { continue }
            try flush()
            let keys = try RowKeys(client, set)
            if let row = try keys.rows.row(id) {
                _ = try keys.give(entity.key, to: row)
            }
        }
    }

    /// Throws `metadataChanged` for another set whose rows have keys of a former form. What comes expanded, or by a
    /// link, could meet the row of another entity.
    func requirePresentKeys(of other: MappedEntitySet) throws(Fault) {
        guard ByteKey(other.name) != ByteKey(set.name), checkedSets.insert(ByteKey(other.name)).inserted else { return }
        try client.registry.requireKeys(of: other)
    }

    /// Whether the row that an entity meets is the clean one of another entity, under a key of the former form. Nothing
    /// of it belongs to the entity.
    func isOfAnother(_ row: JSONObject?, than entity: ArrivedEntity, _ set: MappedEntitySet) -> Bool {
        guard renewsKeys, ByteKey(set.name) == ByteKey(self.set.name), let row,
            !LocalFlags(of: row).isDirty
        else { return false }
        let key = try? StoredKey.text(of: row.properties(of: set), set, version: map.version)
        return key.map { ByteKey($0) } != ByteKey(entity.key)
    }
}
