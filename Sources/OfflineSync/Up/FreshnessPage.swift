import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Asks about the rows of a page, one call for each type, whether the service has newer records, and once more about
/// updates that it seems to have already.
struct FreshnessPage {
    private let context: UpContext
    private let progress: UpProgress
    private let holdsDoubts: Bool
    private let uuids: UUIDSource
    private var part: UpPart { context.part }
    private var store: SmartStore { context.store }

    init(_ context: UpContext, _ progress: UpProgress, holdsDoubts: Bool, uuids: UUIDSource) {
        self.context = context
        self.progress = progress
        self.holdsDoubts = holdsDoubts
        self.uuids = uuids
    }

    struct Answer {
        var verdicts: [Int64: FreshnessVerdict] = [:]
        /// The rows with the id of another one of the page: they are asked about when that one was sent.
        var unasked: Set<Int64> = []
    }

    func ask(_ entryIds: [Int64]) async throws -> Answer {
        let (part, store, holdsDoubts) = (part, store, holdsDoubts)
        let rows = try await store.readingToTheEnd {
            let notes = holdsDoubts ? try Outbox(store).noted(soup: part.soup, among: entryIds) : [:]
            // Row by row, so that only what is asked about is kept of each.
            return try entryIds.compactMap { entryId -> AskedRow? in
                guard notes[entryId] == nil else { return nil }
                return try Self.record(entryId, part, store).flatMap { AskedRow($0, part) }
            }
        }
        var answer = Answer()
        for group in groups(rows, &answer) {
            try await ask(group, &answer)
        }
        return answer
    }

    /// The rows of each type, in the order in which the types occur.
    private func groups(_ rows: [AskedRow], _ answer: inout Answer) -> [[AskedRow]] {
        var ids: Set<RecordId> = []
        var numbers: [ByteKey: Int] = [:]
        var groups: [[AskedRow]] = []
        for row in rows {
            guard ids.insert(row.id).inserted else {
                answer.unasked.insert(row.entryId)
                continue
            }
            let type = ByteKey(row.objectType)
            if let number = numbers[type] {
                groups[number].append(row)
            } else {
                numbers[type] = groups.count
                groups.append([row])
            }
        }
        return groups
    }

    private func ask(_ rows: [AskedRow], _ answer: inout Answer) async throws {
        let question = PageQuestion(context, part)
        var newer: [(row: AskedRow, dated: JSONObject?)] = []
        for (row, record) in zip(rows, try await question.dates(rows)) {
            if let verdict = row.verdict(record, part.modificationField) {
                answer.verdicts[row.entryId] = verdict
            } else {
                answer.verdicts[row.entryId] = .leave(.newer)
                newer.append((row, record))
            }
        }
        try await askAgain(newer.filter { $0.row.operation == .update }, &answer)
    }

    /// Asks about the fields of updates that the service may have already, and saves those that it has.
    ///
    /// - Parameter rows: The rows, each with the answer to the question for its date.
    private func askAgain(_ rows: [(row: AskedRow, dated: JSONObject?)], _ answer: inout Answer) async throws {
        let (part, store) = (part, store)
        let records = try await store.readingToTheEnd {
            try rows.compactMap { row, dated -> (row: AskedRow, record: PendingRecord, dated: JSONObject?)? in
                guard let record = try Self.record(row.entryId, part, store),
                    record.operation == .update, record.recordId == row.id, record.body.count > 2
                else { return nil }
                return (row, record, dated)
            }
        }
        guard let first = records.first, let names = AppliedChange(first.record, part).names,
            let theirs = try await PageQuestion(context, part).fields(records.map(\.row), names)
        else { return }
        var items: [OutcomeSaver.Item] = []
        for ((_, record, dated), found) in zip(records, theirs) {
            let verdict = AppliedChange(record, part).verdict(found, after: dated)
            answer.verdicts[record.entryId] = verdict
            if case .applied(let date) = verdict {
                items.append(.init(record: record, settlement: .applied(date: date)))
            }
        }
        guard !items.isEmpty else { return }
        let (saver, applied) = (OutcomeSaver(part: part, store: store, uuids: uuids), items)
        try await progress.settle {
            var effects = try saver.save(applied)
            effects.settled += applied.count
            effects.summary.applied += applied.count
            return effects
        }
    }

    /// The record of a row that is sent as it is now; nil for every other row.
    static func record(_ entryId: Int64, _ part: UpPart, _ store: SmartStore) throws(Fault) -> PendingRecord? {
        guard let bytes = try store.retrieve(id: entryId, from: part.soup),
            case .record(let record) = try part.task(of: RowText(bytes)), record.operation != .create
        else { return nil }
        return record
    }
}
