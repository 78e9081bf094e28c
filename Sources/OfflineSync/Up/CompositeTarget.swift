import JSONText
import ServiceTransport
import Soups

/// Sends a batch of records as the parts of one call.
struct CompositeTarget: BatchSender {
    let batchSize: Int

    func send(_ records: [PendingRecord], _ context: UpContext) async throws -> [RecordResult] {
        let parts = records.map { record in
            let call = RecordCall(record, context)
            return CompositeCall.Part(method: call.method, path: call.path, body: call.body)
        }
        let answers = try await CompositeCall(context).send(parts)
        var results: [RecordResult] = []
        for (record, answer) in zip(records, answers) {
            results.append(await Self.result(record, answer, context, idField: context.idField))
        }
        return results
    }

    /// What became of the record of a part.
    static func result(
        _ record: PendingRecord, _ answer: CompositeCall.Answer?, _ context: UpContext, idField: String
    ) async -> RecordResult {
        guard let answer else { return .noAnswer }
        if record.key != nil, (200...299).contains(answer.status), answer.status != 201,
            RecordAnswer.id(answer.body) == nil
        {
            return await UpsertedId(context, idField: idField).result(record)
        }
        return answer.result(record)
    }
}
