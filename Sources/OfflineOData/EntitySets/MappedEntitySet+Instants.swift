import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

// Instants as parts of keys. A key text has them in UTC, and a foreign key with the offset that it came with.
extension MappedEntitySet {
    /// Whether two values at a path are the same: equal, or the same instant.
    func areSame(_ a: JSONValue?, _ b: JSONValue?, at path: String) -> Bool {
        guard a != b, let instant = a?.instantInUTC else { return a == b }
        return instant == b?.instantInUTC && isInstant(path)
    }

    /// The value under which rows are found by a path: an instant in UTC.
    func indexed(_ value: JSONValue, at path: String) -> SQLValue {
        guard let text = value.instantInUTC, isInstant(path) else { return value.sqlValue }
        return .text(text)
    }

    /// The rows of the set that may have a value at an indexed path. An instant has the same date in UTC as its text,
    /// or one next to it; the caller compares.
    func rows(_ store: SmartStore, mayHave value: JSONValue, at path: String) throws(Fault) -> [JSONObject] {
        let rows = SoupRows(store, soup: soup)
        guard let days = value.daysOfInstant, isInstant(path), try rows.canFindTexts(by: path) else {
            return try rows.rows(where: path, is: value.sqlValue)
        }
        let found = try store.rows(
            "SELECT {\(soup):_soup} FROM {\(soup)} WHERE {\(soup):\(path)} >= ? AND {\(soup):\(path)} < ? "
                + "ORDER BY {\(soup):_soupEntryId}",
            arguments: [.text(days.first), .text(days.end)], limit: Int(Int32.max))
        return try found.map { (cells) throws(Fault) in try SoupRows.object(ofRow: cells) }
    }

    private func isInstant(_ path: String) -> Bool { primitiveType(at: path) == .dateTimeOffset }

    /// The type that the model declares for a property at a path; nil if that is not known, or if it is another one.
    func primitiveType(at path: String) -> EdmPrimitiveType? {
        guard let model, let entityType else { return nil }
        return model.property(along: path.dottedNames, of: entityType)?.type.primitiveType
    }
}

extension JSONValue {
    /// The value as an instant in UTC; nil for other values.
    private var instant: EdmDateTimeOffset? {
        guard let text = string, let instant = EdmDateTimeOffset(text) else { return nil }
        return EdmDateTimeOffset(
            secondsSinceEpoch: instant.secondsSinceEpoch, picosecond: instant.local.time.picosecond)
    }

    /// The text of an instant in UTC; nil for other values.
    var instantInUTC: String? { instant.flatMap { ODataValue.dateTimeOffset($0).canonicalText } }

    /// The dates between which an instant may be written: from the first, and before the end. Nil for other values, and
    /// for years that are not written with four digits.
    fileprivate var daysOfInstant: (first: String, end: String)? {
        guard let date = instant?.local.date, (2...9_998).contains(date.year),
            let first = EdmDate(daysSinceEpoch: date.daysSinceEpoch - 1)?.description,
            let end = EdmDate(daysSinceEpoch: date.daysSinceEpoch + 2)?.description
        else { return nil }
        return (first, end)
    }
}
