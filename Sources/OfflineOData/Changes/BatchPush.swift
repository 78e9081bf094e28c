import JSONText
import LocalChanges
import OData
import OfflineStore
import ServiceTransport
import Soups

/// One batch of a push.
struct BatchPush: Sendable {
    let run: PushRun
    let plan: [PlannedChange]
    let selection: BatchSelection
    let boundary: String?

    private var client: ODataClient { run.client }

    private struct Part: Sendable {
        let position: Int
        let sent: SentChange
        let group: String
        let message: ODataBatch.Message
    }

    /// Sends the batch and saves what became of its changes.
    func send() async throws {
        // A batch that cannot be written leaves no doubt about what it would have sent.
        let (parts, rest, written) = try await client.store.writingToTheEnd {
            let (parts, rest) = try prepare()
            return (parts, rest, try parts.isEmpty ? nil : write(parts))
        }
        guard let (batch, request) = written else {
            return try await send(rest)
        }
        let sent = parts.map { ($0.position, $0.sent) }
        let response: ServiceResponse
        do {
            response = try await client.connection.send(request)
        } catch {
            try await run.unanswered(sent, error)
            throw error
        }
        guard (200...202).contains(response.status) else {
            try await failed(parts, response, request)
            return
        }
        let answers: [ODataBatch.Message?]
        do throws(Fault) {
            answers = try Self.answers(response, to: batch)
        } catch {
            let fault = AnswerFault.malformed(request, "the answer to the batch cannot be read: \(error.message)")
            try await run.unanswered(sent, fault)
            throw fault
        }
        try await save(parts, answers, response, request)
    }

    private func write(_ parts: [Part]) throws(Fault) -> (ODataBatch, ServiceRequest) {
        let batch = try ODataBatch(grouping: parts.map { ($0.message, $0.group) }, version: client.map.version)
        let written = try batch.request(
            serviceRoot: client.connection.root.text, version: client.map.version, boundary: boundary,
            prefer: preference)
        let target = try client.connection.root.target(of: written.url)
        let request = ServiceRequest(
            method: written.method, path: target.path, headers: written.headers.map { Pair($0.name, $0.value) },
            body: written.body, repetition: .unsafe)
        return (batch, request)
    }

    /// Reads the rows of the changes and makes their requests. The rest cannot go with this batch.
    private func prepare() throws(Fault) -> (parts: [Part], rest: [Int]) {
        var parts: [Part] = []
        var rest: [Int] = []
        var bytes = 0
        var ids: [Int: String] = [:]
        let wanted = selection.groups.flatMap(\.self).map { (plan[$0].set, plan[$0].entryId) }
        var rows = try readRows(wanted, isUnsent: true)
        for (number, group) in selection.groups.enumerated() {
            for position in group {
                let change = plan[position]
                // Deletes come last, and keep their order.
                if change.isDelete, !rest.isEmpty {
                    continue
                }
                // What it refers to is not on the service yet, and is not created by this batch.
                guard change.needed.allSatisfy({ ids[$0] != nil || run.progress.isDone($0) }) else {
                    rest.append(position)
                    continue
                }
                let id = String(parts.count + 1)
                let references = change.principals.compactMap { principal in
                    ids[principal.position].map { (principal.reference, $0) }
                }
                let prepared = try run.preparation.prepare(
                    change, at: position, in: &rows, contentID: id, contentIDs: references, isRelative: true)
                guard let prepared else { continue }
                // One whose keys are known after this batch, or whose entity has to be read first, is sent later.
                if prepared.isUnresolved || prepared.asksFirst {
                    rest.append(position)
                    continue
                }
                let message = ODataBatch.Message(
                    prepared.request.method, prepared.request.url,
                    headers: prepared.request.headers.filter { $0.name != "Content-ID" }.map {
                        .init($0.name, $0.value)
                    },
                    body: prepared.request.body, contentID: id)
                bytes += (prepared.request.body?.utf8.count ?? 0) + 512
                guard parts.isEmpty || bytes <= selection.limitBytes else {
                    // The rest waits for the next batch.
                    try run.saving.notDone(prepared.sent)
                    return (parts, rest)
                }
                ids[position] = id
                parts.append(
                    Part(position: position, sent: prepared.sent, group: String(number + 1), message: message))
            }
        }
        return (parts, rest)
    }

    /// Reads rows ahead, with the versions that their changes started from unless these are not needed.
    ///
    /// - Throws: `metadataChanged` for unsent rows whose keys are of another form by now.
    private func readRows(
        _ wanted: [(set: MappedEntitySet, entryId: Int64)], withOriginals: Bool = true, isUnsent: Bool = false
    ) throws(Fault) -> ChangedRowPage {
        var rows = ChangedRowPage(client)
        for (_, ofSet) in Dictionary(grouping: wanted, by: \.set.name) {
            if isUnsent {
                try client.registry.requireKeys(of: ofSet[0].set)
            }
            try rows.read(ofSet.map(\.entryId), of: ofSet[0].set, withOriginals: withOriginals)
        }
        return rows
    }

    /// Sends what no batch can take: changes whose entity has to be read first. The others wait for keys that no insert
    /// has brought.
    private func send(_ rest: [Int]) async throws {
        for position in rest {
            try await run.send(plan[position], at: position)
        }
    }

    private var preference: String? {
        switch client.map.version {
        case .v1, .v2, .v3: nil
        case .v4: "odata.continue-on-error"
        case .v401: "continue-on-error"
        }
    }

    private static func answers(
        _ response: ServiceResponse, to batch: ODataBatch
    ) throws(Fault) -> [ODataBatch.Message?] {
        let read = try ODataBatch(
            reading: response.body, contentType: response.header("Content-Type").map(ContentType.init),
            direction: .response)
        return try read.answers(to: batch, format: .multipart)
    }

    /// Saves that the batch was answered with an error as a whole.
    private func failed(_ parts: [Part], _ response: ServiceResponse, _ request: ServiceRequest) async throws {
        let fault = AnswerFault.fault(response, to: request) ?? AnswerFault.malformed(request, "no batch was answered")
        let body = AnswerFault.error(in: response)
        let mayBeDone = response.status >= 500 && body == nil || response.status < 400
        let error = ServiceRefusal.json(status: response.status, body)
        try await client.store.writingToTheEnd {
            for part in parts {
                try run.saveUnknown(part.sent, at: part.position, mayBeDone: mayBeDone, error)
            }
        }
        throw fault
    }

    /// Saves all answers in one transaction, and then asks the service where it has other versions.
    private func save(
        _ parts: [Part], _ answers: [ODataBatch.Message?], _ response: ServiceResponse, _ request: ServiceRequest
    ) async throws {
        let stopped = wasStopped(answers, response)
        let followUps = try await client.store.writingToTheEnd {
            var followUps: [(Part, PushRun.FollowUp)] = []
            var failedGroups: Set<String> = []
            // The rows of a soup that was removed went with it.
            let present = try parts.filter { try run.saving.isPresent($0.sent) }
            var rows = try readRows(present.map { ($0.sent.set, $0.sent.change.entryId) }, withOriginals: false)
            var updates = DoneUpdates(run.saving)
            for (part, answer) in zip(parts, answers) {
                let sent = run.progress.withNewKeys(part.sent)
                var verdict = verdict(part, sent, answer, request, isStopped: stopped)
                if let error = verdict.refusal, sharesGroup(part, parts),
                    !failedGroups.insert(part.group).inserted
                {
                    // The text of the one error is that of the first change.
                    verdict = verdict.refused(with: Self.withOthers(error))
                }
                if try updates.take(sent, verdict, rows) {
                    run.progress.note(part.position, .done)
                    continue
                }
                // What follows may look at the rows of the updates, and may write others than its own.
                try updates.save()
                rows.forget()
                followUps.append((part, try run.save(sent, verdict, at: part.position)))
            }
            try updates.save()
            return followUps
        }
        for (part, followUp) in followUps {
            try await run.follow(followUp, part.sent, at: part.position, isLast: false)
        }
    }

    private static func withOthers(_ error: JSONObject) -> JSONObject {
        ServiceRefusal.json(
            status: error["status"]?.int64.map(Int.init), code: "withOthers",
            "another change of the same change set was refused")
    }

    private func sharesGroup(_ part: Part, _ parts: [Part]) -> Bool {
        parts.contains { $0.group == part.group && $0.position != part.position }
    }

    private func verdict(
        _ part: Part, _ sent: SentChange, _ answer: ODataBatch.Message?, _ request: ServiceRequest, isStopped: Bool
    ) -> Verdict {
        guard let answer, let status = answer.status else {
            return isStopped
                ? .notDone(nil)
                : .unknown(ServiceRefusal.json(code: "noAnswer", "the batch has no answer to this change"))
        }
        var request = request
        request.method = part.message.start.method ?? "POST"
        let response = ServiceResponse(
            status: status, headers: answer.headers.map { Pair($0.name, $0.value) }, body: answer.body ?? [])
        return run.reader.verdict(sent, response, to: request, isPart: true)
    }

    /// Whether the service has stopped at an error, so that what follows was not done.
    private func wasStopped(_ answers: [ODataBatch.Message?], _ response: ServiceResponse) -> Bool {
        let given = answers.compactMap(\.self)
        guard given.count < answers.count, let last = given.last, last.isError else { return false }
        let applied = response.header("Preference-Applied") ?? ""
        return !applied.lowercased().contains("continue-on-error")
    }
}

extension Verdict {
    /// The error of a refusal, also of one that is final only if the service has no such entity.
    fileprivate var refusal: JSONObject? {
        switch self {
        case .refused(let error), .exists(let error): error
        default: nil
        }
    }

    fileprivate func refused(with error: JSONObject) -> Verdict {
        if case .exists = self {
            return .exists(error)
        }
        return .refused(error)
    }
}

extension ODataBatch.Message.Start {
    fileprivate var method: String? {
        if case .request(let method, _) = self {
            return method
        }
        return nil
    }
}
