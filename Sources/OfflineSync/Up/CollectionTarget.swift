import JSONText
import LocalChanges
import ServiceTransport
import Soups

/// Sends a batch of records in up to four kinds of calls: creations, updates, upserts and deletions.
struct CollectionTarget: BatchSender {
    let batchSize: Int

    /// Creations, updates, upserts by type, deletions as many as a URL can name.
    func calls(_ records: [PendingRecord], _ context: UpContext) -> [[Int]] {
        var creations: [Int] = []
        var updates: [Int] = []
        var upserts: [(type: ByteKey, numbers: [Int])] = []
        var deletions: [Int] = []
        for (number, record) in records.enumerated() {
            switch (record.operation, record.key) {
            case (.create, nil): creations.append(number)
            case (.create, _?):
                let type = ByteKey(record.sentType)
                if let group = upserts.firstIndex(where: { $0.type == type }) {
                    upserts[group].numbers.append(number)
                } else {
                    upserts.append((type, [number]))
                }
            case (.update, _): updates.append(number)
            case (.delete, _): deletions.append(number)
            }
        }
        let deleting = CollectionCall(context).deletions(deletions, records)
        return ([creations, updates] + upserts.map(\.numbers) + deleting).filter { !$0.isEmpty }
    }

    func send(_ records: [PendingRecord], _ context: UpContext) async throws -> [RecordResult] {
        let answers = try await CollectionCall(context).send(records)
        var results = CallResults(context)
        for (record, answer) in zip(records, answers) {
            await results.add(Self.result(record, answer), of: record, idField: context.idField)
        }
        return results.all
    }

    /// What became of a record; nil if its id must be asked for.
    private static func result(_ record: PendingRecord, _ answer: JSONObject?) -> RecordResult? {
        // Only the id of a new record is taken from an answer.
        let deciding = RecordAnswer.deciding.filter { record.operation == .create || $0 != "id" }
        guard let answer, !answer.repeats(deciding), let isSuccess = answer["success"]?.bool else {
            return .noAnswer
        }
        guard isSuccess else { return refusal(record, answer["errors"]?.array?.first?.object) }
        guard record.operation == .create else { return .done }
        if let id = RecordAnswer.id(.object(answer)) {
            return .created(id)
        }
        return record.key != nil && answer["created"]?.bool != true ? nil : .noAnswer
    }

    private static func refusal(_ record: PendingRecord, _ error: JSONObject?) -> RecordResult {
        let isGone = ["ENTITY_IS_DELETED", "INVALID_CROSS_REFERENCE_KEY"].contains { code in
            error?["statusCode"]?.string.map { ByteKey($0) } == ByteKey(code)
        }
        let kept = error ?? LocalError.noAnswer.json
        switch record.operation {
        case .update where isGone: return .gone(kept)
        case .create where isGone && record.isRecreation: return .gone(kept)
        case .delete where isGone: return .done
        default: return .refused(kept)
        }
    }
}
