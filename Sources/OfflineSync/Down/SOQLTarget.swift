public import JSONText
import SOQL
import Soups

/// Gets the records of a SOQL query, completed with the id, the date of modification and an order by that date.
public struct SOQLTarget: DownTarget {
    static let greatestBatch = 2_000

    private let fields: TargetFields
    private let given: String
    private let completed: SOQLQuery
    private let isComplete: Bool
    private let batchSize: Int

    init(_ reader: DefinitionReader) throws(Fault) {
        fields = try TargetFields(reader)
        given = try reader.required("query")
        batchSize = try reader.count("maxBatchSize", 200...2_000, default: 2_000)
        let parsed = try SOQLQuery(given)
        var query = parsed
        for field in [fields.modification, fields.id] where !query.isSelecting(field) {
            query = try query.addingSelect(field)
        }
        if !query.hasOrderBy {
            query = try query.replacingOrderBy(with: fields.modification)
        }
        completed = query
        isComplete = query == parsed
    }

    public var idField: String { fields.id }
    public var modificationField: String { fields.modification }
    public var isOrderedByModification: Bool { completed.isAscending(by: fields.modification) }

    public var json: JSONObject {
        fields.json([
            ("type", "soql"), ("query", .string(given)), ("maxBatchSize", .number(JSONNumber(Int64(batchSize)))),
        ])
    }

    /// The text of a run.
    func query(since bound: Int64) throws(Fault) -> String {
        guard bound > 0 else { return isComplete ? given : completed.text }
        return try completed.addingWhere("\(fields.modification) > \(ServiceDate.text(bound))").text
    }

    /// The text that lists the ids of all records.
    func idsQuery() throws(Fault) -> String {
        try completed.replacingSelect(with: fields.id).replacingOrderBy(with: "").text
    }

    public func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
        let answer = try await context.rows(of: query(since: bound), batchSize: batchSize)
        return try QueryAnswer.page(answer, form, after: nil)
    }

    public func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? {
        guard let link = page.continuation as? NextLink else { return nil }
        return try QueryAnswer.page(await context.follow(link), form, after: link)
    }

    public func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
        try await context.ids(of: idsQuery(), idField: fields.id, batchSize: batchSize, take)
    }

    private var form: RecordForm { RecordForm(idField: fields.id, modificationField: fields.modification) }
}
