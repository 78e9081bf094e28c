import LocalChanges
import ServiceTransport
import Soups

/// Asks for the id of a record that was found by its external id, where the answer to the change did not name it.
struct UpsertedId {
    private let context: UpContext
    private let idField: String

    init(_ context: UpContext, idField: String) {
        self.context = context
        self.idField = idField
    }

    /// The change itself has been made, and making it again does no harm: a question that the service refuses, or does
    /// not answer as it should, leaves the row to be sent.
    ///
    /// - Throws: what says more about the service than about the record, and what ends a run that was stopped.
    func result(_ record: PendingRecord) async throws -> RecordResult {
        // A call of many records carries a key that a path cannot.
        guard let key = record.key, !UpPart.isStep(key.text) else { return .noAnswer }
        let request = context.request(
            "GET", context.path(record.sentType, key.field, key.text), query: [Pair("fields", idField)])
        do {
            let answer = try ServiceCalls.object(
                try await context.succeed(request), to: request, decidedBy: [idField])
            guard let id = answer[idField]?.string, !id.isEmpty, !LocalId.isLocal(id) else { return .noAnswer }
            return .created(id)
        } catch let call as FailedCall where Self.isAboutRecord(call.fault) {
            return .noAnswer
        } catch let fault as Fault where Self.isAboutRecord(fault) {
            return .noAnswer
        }
    }

    private static func isAboutRecord(_ fault: Fault) -> Bool {
        [.refused, .malformedAnswer, .limitExceeded].contains(fault.code)
    }
}

/// What became of the records of one call, of which some must be asked about. A question that fails keeps nothing of
/// the rest from being saved, and is the last one.
struct CallResults {
    private let context: UpContext
    private(set) var all: [RecordResult] = []
    private var failure: (any Error)?

    init(_ context: UpContext) { self.context = context }

    /// Adds what became of a record.
    ///
    /// - Parameter known: nil if its id must be asked for.
    mutating func add(_ known: RecordResult?, of record: PendingRecord, idField: String) async {
        if let known {
            all.append(known)
            return
        }
        do {
            if let failure {
                throw failure
            }
            all.append(try await UpsertedId(context, idField: idField).result(record))
        } catch {
            failure = error
            all.append(.failed(error))
        }
    }
}
