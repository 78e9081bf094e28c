public import Soups
import StepCounting

extension ODataBatch {
    /// For each request of a batch that was sent, in order, the answer to it; nil for one without an answer.
    ///
    /// Answers of JSON are found by their ids, others by their positions. A change set that was answered by one error
    /// has that error for each of its requests. O(n) in the number of parts.
    ///
    /// - Parameters:
    ///   - batch: The batch that was sent. For JSON, as it was written: with the ids of its requests.
    ///   - format: How both batches were written.
    /// - Throws: `syntax` for an answer with an id that was not sent, an answer too many, a change set answered by
    ///   another number of answers, and a Content-ID that is not that of the request.
    public func answers(to batch: ODataBatch, format: Format) throws(Fault) -> [Message?] {
        switch format {
        case .multipart: try answersByPosition(to: batch)
        case .json: try answersByID(to: batch)
        }
    }

    private func answersByID(to batch: ODataBatch) throws(Fault) -> [Message?] {
        let requests = batch.messages
        let positions = Dictionary(
            requests.enumerated().compactMap { request in
                request.element.contentID.map { (ByteKey($0), request.offset) }
            }
        ) { first, _ in first }
        var answers = [Message?](repeating: nil, count: requests.count)
        for message in messages {
            StepCounter.add()
            guard let id = message.contentID, let position = positions[ByteKey(id)], answers[position] == nil else {
                throw Fault(.syntax, "the batch has an answer with an id that was not sent, or sent once only")
            }
            answers[position] = message
        }
        return answers
    }

    private func answersByPosition(to batch: ODataBatch) throws(Fault) -> [Message?] {
        guard parts.count <= batch.parts.count else {
            throw Fault(.syntax, "the batch has more answers than requests")
        }
        var answers: [Message?] = []
        for (index, part) in batch.parts.enumerated() {
            let requests = Self.messages(of: part)
            guard index < parts.count else {
                answers += requests.map { _ in nil }
                continue
            }
            let found = Self.messages(of: parts[index])
            if case .changeSet = part, found.count == 1, found[0].isError {
                try checkEcho(of: found[0], to: requests)
                answers += requests.map { _ in found[0] }
                continue
            }
            guard found.count == requests.count else {
                throw Fault(.syntax, "a change set has another number of answers than requests")
            }
            for (request, answer) in zip(requests, found) {
                try checkEcho(of: answer, to: [request])
            }
            answers += found
        }
        return answers
    }

    /// Checks that an answer with a Content-ID has that of one of the requests that it answers.
    private func checkEcho(of answer: Message, to requests: [Message]) throws(Fault) {
        StepCounter.add(requests.count)
        guard let echoed = answer.contentID else { return }
        let sent = requests.compactMap(\.contentID)
        guard sent.isEmpty || sent.contains(where: { $0.hasBytes(of: echoed) }) else {
            throw Fault(.syntax, "the Content-ID of an answer is not that of its request")
        }
    }

    private static func messages(of part: Part) -> [Message] {
        switch part {
        case .message(let message): [message]
        case .changeSet(let changeSet): changeSet.messages
        }
    }
}
