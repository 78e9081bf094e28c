import OData
import Soups

/// A statement that finds the rows that may have one of some keys, in any order.
struct RelatedSearch {
    let text: String
    private(set) var arguments: [SQLValue] = []
    /// Whether the statement reads all rows of the soup, whatever the keys are.
    let isComplete: Bool
    /// The column of the cell that may have the text of the key; nil if there is no such cell.
    let cell: Int?

    /// The column of the entry.
    static let entry = 1

    init(_ soup: RegisteredSoup, _ paths: [String], keys: ArraySlice<RowKey>) {
        var condition: (text: String, arguments: [SQLValue])?
        for (index, path) in paths.enumerated() where condition == nil {
            guard let type = soup.indexSpec(for: path)?.type, Self.canBeNamed(path) else { continue }
            condition = Self.condition("{\(soup.name):\(path)}", type, keys.map { $0.parts[index] })
        }
        isComplete = condition == nil
        let hasCell =
            paths.count == 1 && Self.canBeNamed(paths[0]) && Self.hasTexts(soup.indexSpec(for: paths[0])?.type)
        cell = hasCell ? Self.entry + 1 : nil
        text =
            "SELECT {\(soup.name):_soupEntryId}, {\(soup.name):_soup}"
            + (hasCell ? ", {\(soup.name):\(paths[0])}" : "") + " FROM {\(soup.name)}"
            + (condition.map { " WHERE " + $0.text } ?? "")
        arguments = condition?.arguments ?? []
    }

    private static func hasTexts(_ type: IndexType?) -> Bool { type == .string || type == .fullText }

    private static func canBeNamed(_ path: String) -> Bool { !path.utf8.contains { "{}:".utf8.contains($0) } }

    /// A condition that every row with one of the keys meets; nil if the index tells nothing.
    private static func condition(
        _ cell: String, _ type: IndexType, _ keys: [RowKey.Part]
    ) -> (text: String, arguments: [SQLValue])? {
        var points: [SQLValue] = []
        var others: [String] = []
        func add(_ other: String) {
            if !others.contains(other) {
                others.append(other)
            }
        }
        for key in keys {
            switch (key, type) {
            case (.text(let text), .string), (.text(let text), .fullText), (.text(let text), .json1):
                points.append(.text(text))
            case (.integer(let number), .json1) where number.magnitude < 1 << 53,
                (.integer(let number), .integer) where number.magnitude < 1 << 53:
                points.append(.integer(number))
            case (.integer, .json1), (.number, .json1): add("\(cell) < ''")
            case (.boolean, .json1): add("\(cell) IN (0, 1)")
            // A number begins with a minus sign or a digit, as it is written.
            case (.integer, .string), (.number, .string), (.integer, .fullText), (.number, .fullText):
                add("(\(cell) >= '-' AND \(cell) < ':')")
            case (.boolean, .string), (.boolean, .fullText): add("\(cell) IN ('true', 'false')")
            default: return nil
            }
        }
        if !points.isEmpty {
            others.append("\(cell) IN (" + points.map { _ in "?" }.joined(separator: ", ") + ")")
        }
        return others.isEmpty ? nil : (others.joined(separator: " OR "), points)
    }
}
