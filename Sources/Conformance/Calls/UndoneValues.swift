import OfflineStore
import Soups

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Transactions of key-value calls that throw, which change nothing.
enum UndoneValues {
    private struct Undone: Error {}

    /// Requires that a value which is stored in a transaction can be read in it, and that it is gone with the
    /// transaction.
    static func require(in store: KeyValueStore, for key: String) throws(Fault) {
        let before = try store.data(for: key)
        var isUndone = false
        try EntryReadings.ownFaults {
            do {
                try store.transaction {
                    try store.set(encoding: ["undone": 1], for: key)
                    guard try store.value([String: Int].self, for: key) == ["undone": 1] else {
                        throw EntryReadings.disagreement("inside of a transaction")
                    }
                    throw Undone()
                }
            } catch is Undone {
                isUndone = true
            }
        }
        guard isUndone, try store.data(for: key) == before else {
            throw EntryReadings.disagreement("after a transaction that was undone")
        }
    }
}
