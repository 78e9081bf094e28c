import SQLiteAccess
import SmartSQL
package import Soups

/// One state of a store for code of this package whose readings are one query: they are reported to the observer as one
/// event, and several objects may keep it while the closure runs. Apps read one state with `StoreReader`, which they
/// cannot keep and whose readings are events of their own.
package struct StoreSnapshot {
    let session: StoreSession

    /// The soup with a name.
    ///
    /// - Throws: `soupNotFound`.
    package func soup(_ name: String) throws(Fault) -> RegisteredSoup { try session.soup(name) }

    /// Shows each row of a Smart SQL text to a closure until it returns false. The closure must not read the store.
    package func rows(
        _ smartSql: String, arguments: [SQLValue], _ show: (VisitedRow) throws(Fault) -> Bool
    ) throws(Fault) {
        _ = try SmartExecution(.smart(smartSql, pageSize: 1), arguments: arguments, session: session)
            .visit(session, show)
    }

    /// Reads the entry of one id; `nil` if the soup has no entry with this id.
    package func entry(_ id: Int64, of soup: String) throws(Fault) -> [UInt8]? {
        try session.retrieve(id, from: soup)
    }

    /// The ids of the entries that match a query spec.
    package func ids(matching spec: QuerySpec, in soup: String) throws(Fault) -> [Int64] {
        try QueryExecution(spec, soup: soup, session: session).ids(session)
    }
}

extension SmartStore {
    /// Reads one state of the store as often as the closure wants to.
    ///
    /// The closure may run several times, because an external entry may be changed while it is read. It must begin from
    /// the start each time.
    package func snapshot<R>(_ work: (StoreSnapshot) throws(Fault) -> R) throws(Fault) -> R {
        try reading(.query) { (session) throws(Fault) in
            Reported(try work(StoreSnapshot(session: session)))
        }
    }
}
