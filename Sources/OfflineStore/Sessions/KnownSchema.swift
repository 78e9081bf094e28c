import SQLiteAccess
import SmartSQL
import Soups

/// What a session knows as of one version of the schema: the soups, and the prepared work of each. A change of the
/// schema, by any connection, makes all of it worthless.
struct KnownSchema {
    /// Nil until the schema was looked at.
    var version: Int64?
    var soups: [ByteKey: RegisteredSoup] = [:]
    /// Soups with an alteration that is not finished.
    var unfinished: Set<ByteKey> = []
    var writers: [Int64: EntryWriter] = [:]
    var retrievals: [ByteKey: EntryRetrieval] = [:]
    /// The one used last, because most callers read the same soup again.
    var lastRetrieval: EntryRetrieval?
    /// The queries that were run before, the one used last at the end.
    var queries: [KnownQuery] = []
    /// What the text of a user may read; nil until it is asked for.
    var reachOfTexts: Connection.Reach?
    let translations = TranslationCache()
}
