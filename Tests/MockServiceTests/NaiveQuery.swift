import JSONText
import TestSupport

/// A random query as text, and the ids that it finds by a filter over JSON: no parser, no shared code.
struct NaiveQuery {
    static let words = ["a", "ab", "Abc", "b", "B a", "it's", "100%", "x_y", "xzy", "ä", ""].map {
        $0.isEmpty ? "empty" : $0
    }

    let text: String
    let ids: [String]

    private struct Condition {
        let text: String
        let holds: (JSONObject) -> Bool
    }

    init(_ tables: [String: [JSONObject]], _ random: inout SeededRandom) {
        let type = Bool.random(using: &random) ? "Account" : "Opportunity"
        var text = "select Id, Name from \(type)"
        var rows = tables[type] ?? []
        if Int.random(in: 0..<5, using: &random) > 0 {
            let condition = Self.condition(type, rows, depth: 0, &random)
            text += " where " + condition.text
            rows = rows.filter(condition.holds)
        }
        if Bool.random(using: &random) {
            let isAmount = type == "Opportunity" && Bool.random(using: &random)
            let field = isAmount ? "Amount" : ["Name", "LastModifiedDate"].randomElement(using: &random) ?? "Name"
            let isDescending = Bool.random(using: &random)
            let nullsLast = Bool.random(using: &random)
            text += " order by \(field)\(isDescending ? " DESC" : "")\(nullsLast ? " nulls last" : "")"
            rows = Self.sorted(rows, field, isDescending, nullsLast)
        }
        if Bool.random(using: &random) {
            let limit = Int.random(in: 0...20, using: &random)
            let offset = Int.random(in: 0...5, using: &random)
            text += " limit \(limit) offset \(offset)"
            rows = Array(rows.dropFirst(offset).prefix(limit))
        }
        self.text = text
        ids = rows.compactMap { $0["Id"]?.string }
    }

    // MARK: - Order

    /// By insertion, which keeps rows with equal keys in their order.
    private static func sorted(
        _ rows: [JSONObject], _ field: String, _ isDescending: Bool, _ nullsLast: Bool
    ) -> [JSONObject] {
        var sorted: [JSONObject] = []
        for row in rows {
            let index = sorted.firstIndex { isBefore(row, $0, field, isDescending, nullsLast) } ?? sorted.count
            sorted.insert(row, at: index)
        }
        return sorted
    }

    private static func isBefore(
        _ a: JSONObject, _ b: JSONObject, _ field: String, _ isDescending: Bool, _ nullsLast: Bool
    ) -> Bool {
        let left = a[field] ?? .null
        let right = b[field] ?? .null
        if left.isNull || right.isNull {
            return left.isNull != right.isNull && left.isNull != nullsLast
        }
        let isLess: Bool
        let isGreater: Bool
        if let x = left.double, let y = right.double {
            (isLess, isGreater) = (x < y, x > y)
        } else {
            // Dates of one form are in order as texts.
            let x = Array((left.string ?? "").lowercased().utf8)
            let y = Array((right.string ?? "").lowercased().utf8)
            (isLess, isGreater) = (x.lexicographicallyPrecedes(y), y.lexicographicallyPrecedes(x))
        }
        return isDescending ? isGreater : isLess
    }

    // MARK: - Conditions

    private static func condition(
        _ type: String, _ rows: [JSONObject], depth: Int, _ random: inout SeededRandom
    ) -> Condition {
        switch depth > 2 ? 9 : Int.random(in: 0..<10, using: &random) {
        case 0...1:
            let inner = condition(type, rows, depth: depth + 1, &random)
            return Condition(text: "NOT (\(inner.text))") { !inner.holds($0) }
        case 2...3:
            let parts = (0..<3).map { _ in condition(type, rows, depth: depth + 1, &random) }
            return Condition(text: parts.map { "(\($0.text))" }.joined(separator: " and ")) { row in
                parts.filter { $0.holds(row) }.count == 3
            }
        case 4...5:
            let parts = (0..<2).map { _ in condition(type, rows, depth: depth + 1, &random) }
            return Condition(text: parts.map { "(\($0.text))" }.joined(separator: "  OR ")) { row in
                parts.filter { $0.holds(row) }.count > 0
            }
        default: return comparison(type, rows, &random)
        }
    }

    private static func comparison(_ type: String, _ rows: [JSONObject], _ random: inout SeededRandom) -> Condition {
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where type == "Opportunity": return amount(&random)
        case 1: return date(rows, &random)
        case 2: return list(rows, &random)
        case 3: return like(&random)
        default: return text(type, &random)
        }
    }

    private static let orders: [(String, @Sendable (Int) -> Bool)] = [
        ("<", { $0 < 0 }), ("<=", { $0 <= 0 }), (">", { $0 > 0 }), (">=", { $0 >= 0 }),
    ]

    private static func amount(_ random: inout SeededRandom) -> Condition {
        let bound = Int64.random(in: -3...3, using: &random)
        let order = orders[Int.random(in: 0..<4, using: &random)]
        return Condition(text: "Amount \(order.0) \(bound).0") { row in
            row["Amount"]?.int64.map { order.1(Int($0 - bound)) } ?? false
        }
    }

    private static func date(_ rows: [JSONObject], _ random: inout SeededRandom) -> Condition {
        let date = rows.randomElement(using: &random)?["LastModifiedDate"]?.string ?? "2020-01-01T00:00:00.000+0000"
        let order = orders[Int.random(in: 0..<4, using: &random)]
        let written = date.replacing(
            ".000+0000", with: ["Z", ".0+00:00", "+0000"].randomElement(using: &random) ?? "Z")
        return Condition(text: "LastModifiedDate\(order.0)\(written)") { row in
            let other = row["LastModifiedDate"]?.string ?? ""
            return order.1(other < date ? -1 : other > date ? 1 : 0)
        }
    }

    private static func list(_ rows: [JSONObject], _ random: inout SeededRandom) -> Condition {
        let ids = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
            rows.randomElement(using: &random)?["Id"]?.string
        }
        let isNot = Bool.random(using: &random)
        let literals = ids.map { "'\($0)'" }.joined(separator: ", ")
        return Condition(text: "Id \(isNot ? "not " : "")IN (\(literals))") { row in
            ids.contains(row["Id"]?.string ?? "") != isNot
        }
    }

    private static func like(_ random: inout SeededRandom) -> Condition {
        let part = ["a", "b", "x", "'", "c"].randomElement(using: &random) ?? "a"
        let escaped = part == "'" ? "\\'" : part
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return Condition(text: "Name like '%\(escaped)%'") { row in
                (row["Name"]?.string ?? "").lowercased().unicodeScalars.contains { String($0) == part }
            }
        case 1:
            return Condition(text: "Name like '\(escaped)%'") { row in
                (row["Name"]?.string ?? "").lowercased().hasPrefix(part)
            }
        default:
            return Condition(text: "Name like '\(escaped)_'") { row in
                let name = (row["Name"]?.string ?? "").lowercased()
                return name.unicodeScalars.count == 2 && name.hasPrefix(part)
            }
        }
    }

    private static func text(_ type: String, _ random: inout SeededRandom) -> Condition {
        let field = type == "Account" && Bool.random(using: &random) ? "Industry" : "Name"
        let isNot = Bool.random(using: &random)
        let sign = isNot ? ["!=", "<>"].randomElement(using: &random) ?? "!=" : "="
        if Int.random(in: 0..<4, using: &random) == 0 {
            return Condition(text: "\(field) \(sign) null") { ($0[field]?.isNull ?? true) != isNot }
        }
        let word = words.randomElement(using: &random) ?? "a"
        let literal = word.uppercased().replacing("'", with: "\\'")
        return Condition(text: "\(field) \(sign) '\(literal)'") { row in
            (row[field]?.string?.lowercased() == word.lowercased()) != isNot
        }
    }
}
