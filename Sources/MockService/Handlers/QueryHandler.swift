import JSONText
import ServiceTransport

/// Calls 1 and 2: queries and their further pages.
extension MockState {
    mutating func query(_ context: MockContext) throws(MockError) -> CallAnswer {
        var parser = try MiniParser(
            try context.parameter("q"), tables, refusesMixedConditions: options.refusesMixedConditions)
        let query = try parser.parse()
        let cursor = MockCursors.Cursor(
            query: query, ids: query.ids(in: tables[query.table]), pageSize: pageSize(context.request),
            group: cursors.beginGroup())
        return CallAnswer(200, .object(page(cursor, name: nil, from: 0, context)))
    }

    mutating func queryMore(_ context: MockContext) throws(MockError) -> CallAnswer {
        let parts = (context.route.key ?? "").split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let cursor = cursors.cursor(String(parts[0])), let offset = Int(parts[1]),
            offset >= 0, offset < max(1, cursor.ids.count)
        else {
            throw MockError(400, "INVALID_QUERY_LOCATOR", "invalid query locator")
        }
        return CallAnswer(200, .object(page(cursor, name: String(parts[0]), from: offset, context)))
    }

    /// The header `Sforce-Query-Options: batchSize=200`.
    private func pageSize(_ request: ServiceRequest) -> Int {
        let header = request.headers.first { ASCIICase.lower($0.name) == "sforce-query-options" }?.value ?? ""
        for part in header.split(whereSeparator: { $0 == "," || $0 == ";" || $0 == " " }) {
            let pair = part.split(separator: "=")
            if pair.count == 2, ASCIICase.lower(String(pair[0])) == "batchsize", let size = Int(pair[1]) {
                return min(max(1, size), 2_000)
            }
        }
        return max(1, options.pageSize)
    }

    // MARK: - Pages

    private mutating func page(
        _ cursor: MockCursors.Cursor, name: String?, from offset: Int, _ context: MockContext
    ) -> JSONObject {
        let end = min(cursor.ids.count, offset + cursor.pageSize)
        let table = tables[cursor.query.table]
        // Records that were deleted since are left out.
        let records = cursor.ids[offset..<end].compactMap { table.records[$0] }
        let children = childRecords(cursor.query)
        var page: JSONObject = [
            "totalSize": .number(.init(Int64(cursor.ids.count))), "done": .bool(end == cursor.ids.count),
        ]
        if end < cursor.ids.count {
            let name = name ?? cursors.add(cursor, limit: options.liveCursors)
            page["nextRecordsUrl"] = .string("/services/data/\(context.route.version)/query/\(name)-\(end)")
        }
        page["records"] = .array(
            records.map { .object(json($0, cursor.query, children, group: cursor.group, context)) })
        return page
    }

    /// The records of each sub-query by the id of their parent.
    private func childRecords(_ query: MiniQuery) -> [[String: [MockRecord]]] {
        query.items.map { item in
            guard case .children(let children) = item else { return [:] }
            return Dictionary(grouping: tables[children.query.table].inOrder) { record in
                record.values[children.reference].string ?? ""
            }
        }
    }

    private mutating func json(
        _ record: MockRecord, _ query: MiniQuery, _ children: [[String: [MockRecord]]], group: Int,
        _ context: MockContext
    ) -> JSONObject {
        let object = tables[query.table].object
        var members = [("attributes", context.attributes(object.name, record.id))]
        for (index, item) in query.items.enumerated() {
            switch item {
            case .field(let position):
                members.append((object.fields[position].name, record.value(position, of: object)))
            case .children(let inner):
                let found = inner.query.found(children[index][record.id] ?? [], tables[inner.query.table].object)
                guard !found.isEmpty else {
                    members.append((inner.plural, .null))
                    continue
                }
                let cursor = MockCursors.Cursor(
                    query: inner.query, ids: found.map(\.id), pageSize: max(1, options.childPageSize), group: group)
                members.append((inner.plural, .object(page(cursor, name: nil, from: 0, context))))
            }
        }
        return JSONObject(members)
    }
}
