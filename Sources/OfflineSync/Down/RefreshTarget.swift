public import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Reads the records again that a soup holds. New records of the service are not found.
public struct RefreshTarget: DownTarget {
    private let fields: TargetFields
    private let soup: String
    private let objectType: String
    private let given: [String]
    private let sliceCount: Int

    init(_ reader: DefinitionReader) throws(Fault) {
        fields = try TargetFields(reader)
        soup = try reader.required("soupName")
        objectType = try reader.requiredName("sobjectType")
        given = try reader.requiredNames("fieldlist")
        // Another implementation writes the key in a form of its own.
        let key = reader.json["countIdsPerSoql"] == nil ? "coundIdsPerSoql" : "countIdsPerSoql"
        sliceCount = try reader.count(key, 1...500, default: 500)
    }

    public var idField: String { fields.id }
    public var modificationField: String { fields.modification }
    public var json: JSONObject {
        fields.json([
            ("type", "refresh"), ("soupName", .string(soup)), ("sobjectType", .string(objectType)),
            ("fieldlist", .array(given.map(JSONValue.string))),
            ("countIdsPerSoql", .number(JSONNumber(Int64(sliceCount)))),
        ])
    }

    public func checkSoups(_ check: SoupCheck, mergeMode: SyncMergeMode) throws {
        try check.of(soup).requireIndex(fields.id)
        try check.requireIndex(fields.id)
        if mergeMode == .leaveIfChanged {
            try check.requireFlagIndex()
        }
    }

    /// Where a run is: the key of the last row that it asked about.
    private struct Position {
        var bound: Int64
        var key = Key()
        /// Rows that were read and not asked about.
        var waiting: ArraySlice<Row> = []
        var isAtEnd = false
        var link: NextLink?

        struct Key {
            var id: SQLValue = .null
            var entryId: Int64 = 0
        }
    }

    private struct Row {
        let id: RecordId
        let modified: Int64?
    }

    public func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
        let total = try await context.store.count(.all(), soup: soup)
        guard var page = try await page(context, Position(bound: bound)) else {
            var empty = DownPage(bytes: [], records: [])
            empty.total = total
            empty.isLast = true
            empty.isUnasked = true
            return empty
        }
        page.total = total
        return page
    }

    public func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? {
        guard let position = page.continuation as? Position else { return nil }
        return try await self.page(context, position)
    }

    private func page(_ context: DownContext, _ from: Position) async throws -> DownPage? {
        var position = from
        let answer: CallAnswer
        if let link = position.link {
            answer = try await context.follow(link)
        } else {
            let slices = IdSlices(
                count: sliceCount,
                head:
                    "select \(fields.completing(given).joined(separator: ", ")) from \(objectType) where \(fields.id) IN (",
                context: context)
            try await fill(&position, context)
            guard !position.waiting.isEmpty else { return nil }
            let slice = try slice(of: position, slices)
            position.waiting = position.waiting.dropFirst(slice.count)
            answer = try await context.rows(of: slices.query(slice.map(\.id), tail: tail(slice, position.bound)))
        }
        let form = RecordForm(idField: fields.id, modificationField: fields.modification)
        var page = try QueryAnswer.page(answer, form, after: position.link)
        position.link = page.continuation as? NextLink
        page.total = nil
        if position.link == nil {
            try await fill(&position, context)
        }
        page.isLast = position.link == nil && position.waiting.isEmpty
        page.continuation = position
        return page
    }

    /// The rows of the next query: as many as it can name with the condition on time that they get.
    private func slice(of position: Position, _ slices: IdSlices) throws(Fault) -> ArraySlice<Row> {
        let ids = position.waiting.lazy.map(\.id)
        let most = position.waiting.prefix(try slices.length(of: ids))
        let condition = tail(most, position.bound)
        guard !condition.isEmpty else { return most }
        // Fewer rows have a condition of the same length: each of them has a date.
        return position.waiting.prefix(try slices.length(of: ids, tail: condition))
    }

    /// The condition on time of a slice: the oldest date of its rows; without one if a row has none that can be read.
    private func tail(_ slice: ArraySlice<Row>, _ bound: Int64) -> String {
        guard bound > 0 else { return "" }
        var oldest = Int64.max
        for row in slice {
            guard let modified = row.modified else { return "" }
            oldest = min(oldest, modified)
        }
        return " AND \(fields.modification) > \(ServiceDate.text(oldest))"
    }

    /// Reads rows until there are enough for a slice, or no more, by key: by the id's index, then by entry id.
    private func fill(_ position: inout Position, _ context: DownContext) async throws {
        while position.waiting.count < sliceCount, !position.isAtEnd {
            let rows = try await context.store.rows(
                text(isFirst: position.key.entryId == 0), arguments: arguments(position.key), limit: RowWalk.pageSize)
            position.isAtEnd = rows.count < RowWalk.pageSize
            var read = Array(position.waiting)
            for cells in rows {
                guard case .value(.integer(let entryId))? = cells.first, cells.count == 3,
                    case .value(let key) = cells[1]
                else { continue }
                position.key = Position.Key(id: key, entryId: entryId)
                if let id = RecordId(cell: cells[1]), !id.isLocal, case .entry(let entry) = cells[2] {
                    read.append(Row(id: id, modified: try date(entry)))
                }
            }
            position.waiting = read[...]
        }
    }

    private func text(isFirst: Bool) -> String {
        let id = "{\(soup):\(fields.id)}"
        let entry = "{\(soup):_soupEntryId}"
        let condition = isFirst ? "\(id) IS NOT NULL" : "\(id) >= ? AND (\(id) > ? OR \(entry) > ?)"
        return "SELECT \(entry), \(id), {\(soup):_soup} FROM {\(soup)} WHERE \(condition) ORDER BY \(id), \(entry)"
    }

    private func arguments(_ key: Position.Key) -> [SQLValue] {
        key.entryId == 0 ? [] : [key.id, key.id, .integer(key.entryId)]
    }

    private func date(_ entry: [UInt8]) throws(Fault) -> Int64? {
        let field = ByteKey(fields.modification)
        return try PageReader.reading(entry) { (root) throws(WrongForm) in
            root.members.first { $0.name.has(field) }?.value.string.flatMap(ServiceDate.milliseconds)
        }
    }

    public func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
        try await LivingIds(context, soup: context.soup, idField: fields.id, objectType: objectType).give(
            count: sliceCount, take)
    }
}

extension RecordId {
    /// Whether only this device knows it.
    var isLocal: Bool { LocalId.isLocal(text) }
}
