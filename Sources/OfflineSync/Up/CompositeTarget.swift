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
        var results = CallResults(context)
        for (record, answer) in zip(records, answers) {
            await results.add(Self.result(record, answer), of: record, idField: context.idField)
        }
        return results.all
    }

    /// What became of the record of a part; nil if its id must be asked for.
    static func result(_ record: PendingRecord, _ answer: CompositeCall.Answer?) -> RecordResult? {
        guard let answer else { return .noAnswer }
        if record.key != nil, (200...299).contains(answer.status), answer.status != 201,
            RecordAnswer.id(answer.body) == nil
        {
            return nil
        }
        return answer.result(record)
    }
}
