package import JSONText
import LocalChanges
import OfflineStore
package import Soups

/// What a target would ask for, as texts: for tests, and for people who want to know.
package struct TargetDescription {
    /// The definition with its defaults.
    package let target: JSONObject
    /// The first query of a run; nil for a kind that has none of its own.
    package private(set) var query: String?
    /// The query of a run that asks for newer records.
    package private(set) var resyncQuery: String?
    /// The query for the ids of all records.
    package private(set) var remoteIdsQuery: String?
    /// Whether the records come in the order of modification; nil for a sync up.
    package private(set) var isOrdered: Bool?
    /// The Smart SQL of rows with local changes.
    package private(set) var dirtyIdsSql: String?
    /// The Smart SQL of clean rows.
    package private(set) var cleanIdsSql: String?

    /// Describes the target of a sync down.
    package init(
        down json: JSONObject, registry: TargetRegistry, soup: String?, bound: Int64?, syncId: Int64?
    ) throws(Fault) {
        let target = try registry.downTarget(json)
        self.target = target.json
        isOrdered = target.isOrderedByModification
        switch target {
        case let soql as SOQLTarget:
            query = try soql.query(since: -1)
            resyncQuery = try Self.newer(bound, soql.query)
            remoteIdsQuery = try soql.idsQuery()
        case let sosl as SOSLTarget: query = sosl.query
        case let trees as ParentChildrenDown:
            query = try trees.query(since: -1)
            resyncQuery = try Self.newer(bound, trees.query)
            remoteIdsQuery = trees.parentIdsQuery
            dirtyIdsSql = TreeTexts(trees).dirty
            cleanIdsSql = TreeTexts(trees).clean(syncId: syncId)
            return
        default: break
        }
        if let soup {
            describeRows(of: soup, idField: target.idField, syncId: syncId)
        }
    }

    /// Describes the target of a sync up.
    package init(up json: JSONObject, soup: String?) throws(Fault) {
        let definition = try UpDefinition(json, isComplete: json["parent"] != nil)
        target = definition.json
        if let trees = definition.trees {
            dirtyIdsSql = TreeTexts(trees).dirty
        } else if let soup {
            describeRows(of: soup, idField: target["idFieldName"]?.string ?? "Id", syncId: nil)
            cleanIdsSql = nil
        }
    }

    private static func newer(
        _ bound: Int64?, _ text: (Int64) throws(Fault) -> String
    ) throws(Fault) -> String? {
        guard let bound, bound > 0 else { return nil }
        return try text(bound)
    }

    private mutating func describeRows(of soup: String, idField: String, syncId: Int64?) {
        let id = "{\(soup):\(idField)}"
        let head = "SELECT \(id) FROM {\(soup)} WHERE {\(soup):\(ReservedField.local)} = "
        let own = syncId.map { " AND {\(soup):\(ReservedField.syncId)} = \($0)" } ?? ""
        dirtyIdsSql = head + "'true' ORDER BY \(id) ASC"
        cleanIdsSql = head + "'false'\(own) ORDER BY \(id) ASC"
    }
}

/// The Smart SQL of trees, as it is published.
private struct TreeTexts {
    private let parents: String
    private let id: String
    private let ownChildren: String

    init(_ trees: ParentChildrenDown) {
        self.init(trees.parent, trees.children, parentIdField: trees.parentIdField)
    }

    init(_ trees: UpTrees) {
        self.init(trees.parent, trees.children, parentIdField: trees.parentIdField)
    }

    private init(_ parent: TreePart, _ child: TreePart, parentIdField: String) {
        parents = parent.soup
        id = parent.id
        let children = child.soup
        ownChildren =
            "EXISTS (SELECT {\(children):\(child.id)} FROM {\(children)} WHERE {\(children):\(parentIdField)} = {\(parents):\(id)} AND {\(children):__local__} = 'true')"
    }

    private var head: String { "SELECT DISTINCT {\(parents):\(id)} FROM {\(parents)} WHERE {\(parents):__local__} = " }

    var dirty: String { head + "'true' OR " + ownChildren }

    func clean(syncId: Int64?) -> String {
        let own = syncId.map { " AND {\(parents):__sync_id__} = \($0)" } ?? ""
        return head + "'false'\(own) AND NOT " + ownChildren
    }
}
