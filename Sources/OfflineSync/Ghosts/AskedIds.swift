import LocalChanges
import Soups
import Synchronization

/// The ids of rows that a run has asked the service for, one by one.
///
/// A row that became clean, or was inserted, after its turn was not asked for: that no answer has it does not mean that
/// the service lacks it.
final class AskedIds: Sendable {
    private let ids = Mutex<IdSet?>(nil)

    func insert(_ asked: ArraySlice<RecordId>) throws(Fault) {
        try ids.withLock { (ids) throws(Fault) in
            var all = ids ?? IdSet()
            // The set is moved out and in again, or each slice would copy it.
            ids = nil
            for id in asked {
                try all.insert(id)
            }
            ids = all
        }
    }

    /// All of them; nil if the run asks otherwise than by ids.
    var all: IdSet? { ids.withLock { $0 } }
}
