public import JSONText
import LocalChanges
import SOQL
import Soups

/// Gets records with the records that refer to them: each into a soup of its own.
///
/// A tree of which any part has local changes is left as a whole where the merge mode says so. What the service has of
/// its other parts comes with a later run, when the tree is clean.
///
/// A run that asks for newer records gets the trees whose parent changed, and of them the children that changed: a
/// child that changed under a parent that did not is not found. The dates of parents alone make the stamp.
public struct ParentChildrenDown: DownTarget {
    let parent: TreePart
    let children: TreePart
    let plural: String
    let parentIdField: String
    private let filter: String?
    private let relationship: Relationship
    private let given: JSONObject

    /// Whether children live without their parent.
    enum Relationship: String {
        case masterDetail = "MASTER_DETAIL"
        case lookup = "LOOKUP"
    }

    init(_ reader: DefinitionReader) throws(Fault) {
        let childReader = DefinitionReader(try reader.requiredObject("children"))
        parent = try TreePart(
            DefinitionReader(try reader.requiredObject("parent")), fields: try reader.requiredNames("parentFieldlist"))
        children = try TreePart(childReader, fields: try reader.requiredNames("childrenFieldlist"))
        plural = try childReader.requiredName("sobjectTypePlural")
        parentIdField = try childReader.requiredName("parentIdFieldName")
        filter = try reader.text("parentSoqlFilter")
        relationship = try reader.requiredChoice("relationshipType", Relationship.self)
        given = reader.json
        // The filter becomes a part of queries: it must be whole.
        _ = try SOQLQuery(query(since: -1))
    }

    public var idField: String { parent.id }
    public var modificationField: String { parent.modification }
    public var isOrderedByModification: Bool { true }

    public var json: JSONObject {
        var json = given
        json["type"] = "parent_children"
        json["parent"] = .object(parent.json)
        json["children"] = .object(children.json)
        json["idFieldName"] = .string(parent.id)
        json["modificationDateFieldName"] = .string(parent.modification)
        return json
    }

    // MARK: - Texts

    /// The text of a run.
    func query(since bound: Int64) throws(Fault) -> String { try query(since: bound, asksAllChildren: false) }

    /// The text of a run.
    ///
    /// - Parameter asksAllChildren: Whether all children of a changed parent are asked for. They are after a run that
    ///   was cut off: a parent that it did not reach may have changed since, and its children, which are older, would
    ///   never come.
    func query(since bound: Int64, asksAllChildren: Bool) throws(Fault) -> String {
        let date = bound > 0 ? ServiceDate.text(bound) : nil
        let condition = asksAllChildren ? "" : date.map { " where \(children.modification) > \($0)" } ?? ""
        let inner = "(select \(children.fields.joined(separator: ", ")) from \(plural)\(condition))"
        let text =
            "select \(parent.fields.joined(separator: ", ")), \(inner) from \(parent.objectType)\(filtered)"
            + " order by \(parent.modification)"
        guard let date else { return text }
        return try SOQLQuery(text).addingWhere("\(parent.modification) > \(date)").text
    }

    /// The text that lists the ids of all parents.
    var parentIdsQuery: String { "select \(parent.id) from \(parent.objectType)\(filtered)" }

    /// The text that lists the ids of all children, below their parents.
    var childIdsQuery: String {
        "select \(parent.id), (select \(children.id) from \(plural)) from \(parent.objectType)\(filtered)"
    }

    private var filtered: String { filter.map { " where \($0)" } ?? "" }

    // MARK: - Pages

    public func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
        let text = try query(since: bound, asksAllChildren: context.continuesRun)
        return try await page(context.rows(of: text), after: nil, context)
    }

    public func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? {
        guard let link = page.continuation as? NextLink else { return nil }
        return try await self.page(context.follow(link), after: link, context)
    }

    private func page(_ answer: CallAnswer, after link: NextLink?, _ context: DownContext) async throws -> DownPage {
        let form = RecordForm(idField: parent.id, modificationField: parent.modification, children: plural)
        let reader = TreeReader(parents: form, children: childForm)
        var (page, trees) = try reader.read(answer, after: link)
        try await reader.complete(&trees, context)
        page.attachments = trees
        return page
    }

    public func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
        try await context.ids(of: parentIdsQuery, idField: parent.id, take)
    }

    /// Gives the ids of all children.
    func remoteChildIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
        let form = RecordForm(idField: parent.id, modificationField: parent.id, children: plural)
        let reader = TreeReader(
            parents: form, children: RecordForm(idField: children.id, modificationField: children.id))
        var answer = try await context.rows(of: childIdsQuery)
        var link: NextLink?
        while true {
            var (page, trees) = try reader.read(answer, after: link)
            try await reader.complete(&trees, context)
            for part in trees.parts {
                try take(part.records.map(\.record.id))
            }
            guard let next = page.continuation as? NextLink else { return }
            page.continuation = nil
            link = next
            answer = try await context.follow(next)
        }
    }

    /// The parent's id in an answer gives way to the one that is written.
    private var childForm: RecordForm {
        RecordForm(idField: children.id, modificationField: children.modification, children: parentIdField)
    }

    public func checkSoups(_ check: SoupCheck, mergeMode: SyncMergeMode) throws {
        for part in [parent, children] {
            try check.of(part.soup).requireIndex(part.id)
            if mergeMode == .leaveIfChanged {
                try check.of(part.soup).requireFlagIndex()
            }
        }
        try check.of(children.soup).requireIndex(parentIdField)
    }
}
