import SmartSQL
import Soups
import Synchronization

/// Reads the pages of a query spec on a soup.
final class SoupCursorSource: CursorSource {
    let store: SmartStore
    private let spec: QuerySpec
    private let soup: String
    private let execution: Mutex<QueryExecution?>
    private let memory = Mutex(PageMemory())

    /// Creates a source that plans the query when the cursor first reads.
    init(store: SmartStore, spec: QuerySpec, soup: String) {
        self.store = store
        self.spec = spec
        self.soup = soup
        execution = Mutex(nil)
    }

    /// - Parameter execution: The plan of the first page, where it can be kept.
    init(store: SmartStore, spec: QuerySpec, soup: String, execution: QueryExecution?) {
        self.store = store
        self.spec = spec
        self.soup = soup
        self.execution = Mutex(execution)
    }

    func page(_ move: CursorMove, limit: Int) throws(Fault) -> ResultPage {
        let result = try store.reading(.query) { (session) throws(Fault) in
            let execution = try current(session)
            let page =
                switch move {
                case .after(let position): execution.query.page(after: position)
                case .before(let position): execution.query.page(before: position)
                case .at(let offset): offset == 0 ? execution.query.firstPage : execution.query.page(at: Int64(offset))
                }
            return try execution.run(
                page, limit: limit, reusing: memory.withLock { $0.take() }, session: session)
        }
        memory.withLock { $0.note(result.entries) }
        return result
    }

    func count() throws(Fault) -> Int {
        try store.retrying { (session) throws(Fault) in
            try session.observe(.count) { () throws(Fault) in
                if let known = session.knownCount(spec, soup: soup) {
                    return known
                }
                return try session.reading { () throws(Fault) in try current(session).count(session) }
            }
        }
    }

    private func current(_ session: StoreSession) throws(Fault) -> QueryExecution {
        if let known = execution.withLock({ $0 }), known.schemaVersion == session.knownSchemaVersion {
            return known
        }
        var fresh = try QueryExecution(spec, soup: soup, session: session)
        try fresh.plan(session)
        // The schema version of an open transaction is given to another schema after a rollback.
        if session.level == 0 {
            execution.withLock { [fresh] in $0 = fresh }
        }
        return fresh
    }
}
