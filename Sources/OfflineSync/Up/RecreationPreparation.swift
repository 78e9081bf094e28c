import LocalChanges
import OfflineStore
import Soups

/// Makes creations of the records that a first run of a batch found gone. Inside one transaction.
struct RecreationPreparation: Sendable {
    let batch: BatchPreparation

    /// The rows as they are now. One that was removed, or asks for something else in the meantime, waits for the next
    /// run.
    func next(_ entryIds: [Int64]) throws(Fault) -> BatchPreparation.Batch {
        let (part, store) = (batch.part, batch.store)
        try part.requirePresent(in: store)
        var next = BatchPreparation.Batch()
        for entryId in entryIds {
            guard let bytes = try store.retrieve(id: entryId, from: part.soup) else { continue }
            let text = try RowText(bytes)
            guard text.isTrue(ReservedField.local), text.flags.operation == .update else { continue }
            let record = try batch.withKey(part.creation(of: text, isRecreation: true))
            // What makes the call too long, or must be the first of one, waits for the next run.
            guard
                next.records.isEmpty
                    || next.bytes + record.weight <= BatchPreparation.greatestBody && !part.mustBeFirst(record)
            else { break }
            next.bytes += record.weight
            next.taken += 1
            if let error = part.obstacle(to: record) {
                batch.refuse(record.text, entryId, error, in: &next)
            } else {
                next.records.append(record)
            }
        }
        try batch.finish(&next)
        return next
    }
}
