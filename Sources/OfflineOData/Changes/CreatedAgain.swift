import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Makes a row whose entity is gone from the service one that was created here. Every call is inside a transaction of
/// the caller.
struct CreatedAgain {
    let store: SmartStore
    let map: EntitySetMap
    let uuids: UUIDSource
    let set: MappedEntitySet

    /// The row as it is then, to be written by the caller.
    ///
    /// - Parameters:
    ///   - row: The row as it is.
    ///   - given: Its properties.
    ///   - keepsKey: Whether it keeps its key. Otherwise it gets a new one, as `create` gives it, and the rows that
    ///     refer to it follow.
    func row(_ row: JSONObject, _ given: JSONObject, keepsKey: Bool) throws(Fault) -> JSONObject {
        var key = row.keyText
        var properties = given
        if !keepsKey {
            (key, properties) = try withNewKey(given)
            let replacement = KeyReplacement(store: store, map: map)
            try replacement.replace(row.keyText, by: key, of: set)
            properties = replacement.replacing(row.keyText, by: key, of: set, in: properties)
        }
        var flags = LocalFlags()
        flags.isCreated = true
        var created = RowForm(set, version: map.version).clean(
            properties, key: key, control: row.control.removing { $0 != "type" }, over: row)
        flags.write(to: &created)
        return created
    }

    /// A key that the client makes, where the set makes keys, else a local id; and the properties with it.
    private func withNewKey(_ given: JSONObject) throws(Fault) -> (key: String, properties: JSONObject) {
        let kept = map.withoutGivenKey(given, of: set)
        let properties = set.makingKey(kept, from: uuids)
        let isMade = StoredKey.value(of: kept, set) == nil
        let made = isMade ? try StoredKey.text(of: properties, set, version: map.version) : nil
        return (made ?? LocalId.next(from: uuids), properties)
    }
}
