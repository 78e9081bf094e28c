public import Soups

/// The Smart SQL of a query spec, as published by Mobile SDK. It is only for display and comparison and is not run.
///
/// The statements that run bind the match key and order equal values by id (`PageQuery`). Source: `QuerySpec` (Android)
/// and `SFQuerySpec` (iOS) of Mobile SDK; every clause ends with a space.
public struct PublishedQuery: Sendable, Hashable {
    public let smartSql: String
    public let countSmartSql: String
    public let idsSmartSql: String

    /// - Throws: what `QuerySpec.validate()` throws; `invalidMatchExpression` for a malformed match key.
    public init(_ spec: QuerySpec, soupName: String) throws(Fault) {
        try spec.validate()
        if spec.kind == .smart {
            let text = spec.smartSql ?? ""
            smartSql = text
            countSmartSql = "SELECT count(*) FROM (\(text))"
            idsSmartSql = "SELECT id FROM (\(text))"
            return
        }
        let select = (spec.selectPaths ?? ["_soup"]).map { "{\(soupName):\($0)}" }.joined(separator: ", ")
        let from = "FROM {\(soupName)} "
        let condition = try Self.condition(spec, soupName)
        let order =
            spec.orderPath.map { "ORDER BY {\(soupName):\($0)} \(spec.order == .ascending ? "ASC" : "DESC") " } ?? ""
        smartSql = "SELECT \(select) " + from + condition + order
        countSmartSql = "SELECT count(*) " + from + condition
        idsSmartSql = "SELECT id " + from + condition + order
    }

    private static func condition(_ spec: QuerySpec, _ soup: String) throws(Fault) -> String {
        let field = "{\(soup):\(spec.indexPath ?? "")}"
        switch spec.kind {
        case .all, .smart: return ""
        case .exact: return "WHERE \(field) = ? "
        case .like: return "WHERE \(field) LIKE ? "
        case .range:
            let bounds = [spec.beginKey.map { _ in "\(field) >= ?" }, spec.endKey.map { _ in "\(field) <= ?" }]
                .compactMap { $0 }
            return bounds.isEmpty ? "" : "WHERE \(bounds.joined(separator: " AND ")) "
        case .match:
            let key = try matchKey(spec, field)
            return
                "WHERE {\(soup):_soupEntryId} IN (SELECT rowid FROM {\(soup)}_fts WHERE {\(soup)}_fts MATCH '\(key)') "
        }
    }

    /// The match key with its terms qualified, escaped for an SQL literal.
    private static func matchKey(_ spec: QuerySpec, _ field: String) throws(Fault) -> String {
        guard let key = spec.matchKey, case .text(let bytes) = key.value(for: .text) else {
            return ""
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // A key for all paths is shown as it is, once it is known to be one.
        let checked = try MatchExpression.qualified(text, by: field + ":")
        let qualified = spec.indexPath == nil ? text : checked
        var literal = ""
        for scalar in qualified.unicodeScalars {
            if scalar == "'" {
                literal += "'"
            }
            literal.unicodeScalars.append(scalar)
        }
        return literal
    }
}
