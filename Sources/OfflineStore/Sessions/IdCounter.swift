/// The next id of one soup's table, known from the first insert of a transaction on: only this connection can insert
/// until it ends.
///
/// A counter belongs to a session, not to a writer. If the schema changes during a transaction, two writers of one soup
/// may exist, and both must give ids from one counter.
final class IdCounter {
    /// One thread at a time, and no call comes back while it is accessed.
    @exclusivity(unchecked) private var next: Int64?
    /// The number of the transaction in which `next` is valid.
    @exclusivity(unchecked) private var transaction = 0

    /// The next id, if it is known in the transaction.
    func next(in transaction: Int) -> Int64? { self.transaction == transaction ? next : nil }

    /// Sets the next id; nil if the table has given its last one.
    func set(_ next: Int64?, in transaction: Int) {
        self.next = next
        self.transaction = transaction
    }
}
