import JSONText
import ServiceTransport

/// Changes the answer to a request that was applied.
enum AnswerFaults {
    static let html = "<!DOCTYPE html><html><body><h1>Service Unavailable</h1></body></html>"

    /// An answer that says that something failed.
    static func failure(_ status: Int, _ body: MockFault.ErrorBody) -> CallAnswer {
        guard case .code(let code) = body else {
            return CallAnswer(status)
        }
        return CallAnswer(MockError(status, code, "refused by a rule"))
    }

    /// Faults of the JSON of an answer.
    static func apply(_ fault: MockFault, to answer: inout CallAnswer) {
        switch fault {
        case .totalSize(let value):
            answer.body = answer.body.map { setting($0, "totalSize", to: value) }
        case .rows(let rows):
            answer.body = answer.body.map { changingRows($0) { change(&$0, rows) } }
        case .withoutId:
            answer.body = answer.body.map { withoutIds($0) }
        case .spoil(let record, let field, let value):
            answer.body = answer.body.map { body in
                guard rows(of: body) != nil else {
                    return setting(body, field, to: value)
                }
                return changingRows(body) { rows in
                    let index = record < 0 ? rows.count + record : record
                    if rows.indices.contains(index) {
                        rows[index] = setting(rows[index], field, to: value)
                    }
                }
            }
        case .broken(.otherShape):
            answer.body = answer.body.map { $0.array == nil ? [$0] : ["records": $0] }
        default: break
        }
    }

    // MARK: - Rows

    private static let rowNames = ["records", "compositeResponse", "searchRecords", "recentItems"]

    private static func rows(of body: JSONValue) -> [JSONValue]? {
        body.array ?? rowNames.lazy.compactMap { body[$0]?.array }.first
    }

    private static func changingRows(_ body: JSONValue, _ change: (inout [JSONValue]) -> Void) -> JSONValue {
        guard var rows = rows(of: body) else { return body }
        change(&rows)
        guard var object = body.object, let name = rowNames.first(where: { object[$0] != nil }) else {
            return .array(rows)
        }
        object[name] = .array(rows)
        return .object(object)
    }

    private static func change(_ rows: inout [JSONValue], _ kind: MockFault.Rows) {
        switch kind {
        case .oneShort: _ = rows.popLast()
        case .oneMore: rows += rows.suffix(1)
        case .reversed: rows.reverse()
        case .nullAmong where !rows.isEmpty: rows[0] = .null
        case .nullAmong: break
        }
    }

    // MARK: - Members

    private static func setting(_ value: JSONValue, _ name: String, to new: JSONValue?) -> JSONValue {
        guard var object = value.object else { return value }
        object[name] = new
        return .object(object)
    }

    /// Of a record, of the elements of a collection, and of the bodies of a composite answer.
    private static func withoutIds(_ body: JSONValue) -> JSONValue {
        guard rows(of: body) != nil else {
            return setting(body, "id", to: nil)
        }
        return changingRows(body) { rows in
            rows = rows.map { row in
                guard let inner = row["body"] else { return setting(row, "id", to: nil) }
                return setting(row, "body", to: setting(inner, "id", to: nil))
            }
        }
    }
}
