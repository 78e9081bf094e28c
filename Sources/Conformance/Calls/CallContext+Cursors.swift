import JSONText
import OfflineStore
import Soups

extension CallContext {
    /// Keeps a cursor until the cursor or its store is closed.
    func keep(_ cursor: StoreCursor, _ arguments: CallArguments) throws(Fault) -> StoreCursor {
        cursors[try storeName(arguments), default: [:]][Int64(cursor.cursorId)] = cursor
        return cursor
    }

    /// The open cursor of a call. Throws `invalidCursor` for an unknown one.
    func cursor(_ arguments: CallArguments) throws(Fault) -> StoreCursor {
        guard let id = arguments.value("cursorId")?.int64, let cursor = cursors[try storeName(arguments)]?[id] else {
            throw Fault(.invalidCursor, "unknown cursor; it was closed or never opened")
        }
        return cursor
    }

    func closeCursor(_ arguments: CallArguments) throws(Fault) {
        let cursor = try cursor(arguments)
        try store(arguments).requireOpen()
        cursor.close()
        cursors[try storeName(arguments)]?[Int64(cursor.cursorId)] = nil
    }
}
