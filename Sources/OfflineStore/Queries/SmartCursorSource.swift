import Soups

/// Reads the pages of a Smart SQL text. Its rows have no keys to continue from, so every page is counted from the first
/// row.
final class SmartCursorSource: CursorSource {
    let store: SmartStore
    private let spec: QuerySpec
    private let arguments: [SQLValue]

    init(store: SmartStore, spec: QuerySpec, arguments: [SQLValue]) {
        self.store = store
        self.spec = spec
        self.arguments = arguments
    }

    func page(_ move: CursorMove, limit: Int) throws(Fault) -> ResultPage {
        guard case .at(let offset) = move else {
            throw Fault(.invalidCursor, "a smart query has no keys to continue from")
        }
        return try store.reading(.query) { (session) throws(Fault) in
            try SmartExecution(spec, arguments: arguments, session: session).page(
                at: offset, limit: limit, session: session)
        }
    }

    func count() throws(Fault) -> Int { try store.count(spec, arguments: arguments) }
}
