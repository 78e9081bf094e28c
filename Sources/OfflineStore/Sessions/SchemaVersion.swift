/// A version of a store's schema, for what is kept longer than a connection.
///
/// SQLite's number alone does not do: another file at the same path, as after a change of key, begins again.
struct SchemaVersion: Hashable {
    /// Which opening of the store it belongs to.
    let opening: Int
    /// SQLite's `schema_version`; -1 if it is not known.
    let number: Int64
}
