import Soups

/// Names the members of a row that belong to the store, to the flags of local changes, and to what talks to a service.
public enum ReservedField {
    /// Whether the row was changed locally in any way.
    public static let local = "__local__"
    /// Whether the row was created locally.
    public static let locallyCreated = "__locally_created__"
    /// Whether the row was updated locally.
    public static let locallyUpdated = "__locally_updated__"
    /// Whether the row was deleted locally: it stays until the service has deleted it too.
    public static let locallyDeleted = "__locally_deleted__"
    /// The last refusal of the service, as JSON text.
    public static let lastError = "__last_error__"
    /// The id of the sync that brought the row last.
    public static let syncId = "__sync_id__"
    /// What the service says about a record, such as its type.
    public static let attributes = "attributes"

    /// The flags of local changes, in the order in which they are written.
    public static let flags = [local, locallyCreated, locallyUpdated, locallyDeleted]

    /// Says whether a name is reserved: the names above except `attributes`, those of offline OData (`__key__`,
    /// `__odata__`, `__conflict__`), and every name that begins with `_soup`, which are the store's.
    public static func isReserved(_ name: String) -> Bool {
        // Most names need no hash: the reserved ones begin with an underscore.
        guard name.utf8.first == UInt8(ascii: "_") else { return false }
        return reserved.contains(ByteKey(name)) || name.utf8.starts(with: "_soup".utf8)
    }

    /// Says whether a member is a field of the record, neither reserved nor `attributes`.
    public static func isField(_ name: String) -> Bool {
        !isReserved(name) && ByteKey(name) != attributesKey
    }

    /// Whether only the store and the flags write a member: it is never taken over from a record that is given.
    static func isWrittenHere(_ name: String) -> Bool {
        isReserved(name) && !odata.contains(ByteKey(name))
    }

    private static let attributesKey = ByteKey(attributes)
    private static let odata = Set(["__key__", "__odata__", "__conflict__"].map { ByteKey($0) })
    private static let reserved = odata.union((flags + [lastError, syncId]).map { ByteKey($0) })
}
