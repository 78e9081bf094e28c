import JSONText
import LocalChanges
import SOQL
import ServiceTransport
import Soups

/// Asks whether the service has a newer record of any row of a tree.
struct TreeQuestion {
    private let trees: TreeParts
    private let context: UpContext

    init(_ trees: TreeParts, _ context: UpContext) {
        self.trees = trees
        self.context = context
    }

    /// Whether a tree may be sent.
    enum Verdict: Sendable {
        /// All of it but the rows that the service has already, each with its date. A child with the id of a changed
        /// row before it was not asked about.
        case push(applied: [Applied], unasked: Set<Int64>)
        case leave(LeaveReason)
    }

    /// A row whose change the service has already.
    struct Applied: Sendable {
        let record: PendingRecord
        let isParent: Bool
        let date: [UInt8]
    }

    /// A row of the tree that the service had.
    private struct Member {
        let row: AskedRow
        /// What would be sent of it; nil for a clean row.
        let record: PendingRecord?
        let isParent: Bool
        /// The answer to the question for the date.
        var dated: JSONObject?
    }

    func verdict(_ tree: TreeState) async throws -> Verdict {
        guard let id = tree.parent.serviceId(trees.parent.idField), tree.task != .create, tree.task != .removal else {
            return .push(applied: [], unasked: [])
        }
        let answer = try await ask(id)
        var newer: [Member] = []
        let (members, unasked) = try members(tree)
        for var member in members {
            let record = member.isParent ? answer.parent : answer.children[ByteKey(member.row.id.text)]
            let part = member.isParent ? trees.parent : trees.children
            switch member.row.verdict(record, part.modificationField) {
            case .leave(let reason)?: return .leave(reason)
            case nil where member.record?.operation == .update && member.row.operation == .update:
                member.dated = record
                newer.append(member)
            case nil: return .leave(.newer)
            case .push?, .applied?, .unknown?: break
            }
        }
        return try await askAgain(newer, unasked)
    }

    /// The verdict on one child, which has the id of a row that was sent before it.
    func verdict(onChild text: RowText, of tree: TreeState) async throws -> Verdict {
        guard var member = try child(text, tree), member.record != nil else { return .push(applied: [], unasked: []) }
        let found = try await PageQuestion(context, trees.children).dates([member.row])
        member.dated = found.first ?? nil
        switch member.row.verdict(member.dated, trees.children.modificationField) {
        case .leave(let reason)?: return .leave(reason)
        case nil where member.row.operation == .update: return try await askAgain([member], [])
        case nil: return .leave(.newer)
        case .push?, .applied?, .unknown?: return .push(applied: [], unasked: [])
        }
    }

    /// The rows that the service had, and the children that must wait: a changed row before them has their id.
    private func members(_ tree: TreeState) throws(Fault) -> (members: [Member], unasked: Set<Int64>) {
        var members: [Member] = []
        var unasked: Set<Int64> = []
        var changed: Set<RecordId> = []
        if let row = try member(tree.parent, trees.parent, isParent: true, isLeaving: false) {
            members.append(row)
        }
        // The service need not have the former record of a child that may have been created again.
        for child in tree.children where !tree.heldChildren.contains(child.entryId) {
            guard let row = try self.child(child.text, tree) else { continue }
            if row.record != nil, !changed.insert(row.row.id).inserted {
                unasked.insert(child.entryId)
            } else {
                members.append(row)
            }
        }
        return (members, unasked)
    }

    /// A child as it would be sent, with the id of its parent unless that goes.
    private func child(_ text: RowText, _ tree: TreeState) throws(Fault) -> Member? {
        let isLeaving = tree.task == .delete && trees.isMasterDetail
        guard let member = try member(text, trees.children, isParent: false, isLeaving: isLeaving) else { return nil }
        guard tree.task != .delete, let id = tree.parent[trees.parent.idField], var record = member.record else {
            return member
        }
        record.add(JSONValue.string(trees.parentIdField).bytes() + [UInt8(ascii: ":")] + id)
        return Member(row: member.row, record: record, isParent: false)
    }

    private func member(
        _ text: RowText, _ part: UpPart, isParent: Bool, isLeaving: Bool
    ) throws(Fault) -> Member? {
        guard let id = text.serviceId(part.idField) else { return nil }
        if !isLeaving, case .record(let record) = try part.task(of: text) {
            return AskedRow(record, part).map { Member(row: $0, record: record, isParent: isParent) }
        }
        // A clean row is asked about as if it were updated, and one that goes with its parent as if it were deleted.
        let asked = try part.record(isLeaving ? .delete : .update, text, id, needsFields: false)
        return AskedRow(asked, part).map { Member(row: $0, record: nil, isParent: isParent) }
    }

    // MARK: - Dates

    private struct Answer {
        var parent: JSONObject?
        var children: [ByteKey: JSONObject] = [:]
    }

    /// The text of the question for a parent.
    func query(_ id: RecordId) throws(Fault) -> String {
        let (parent, children) = (trees.definition.parent, trees.definition.children)
        let inner = "(select \(children.id), \(children.modification) from \(trees.definition.plural))"
        let wanted = try SOQLLiteral.text(id.text)
        return "select \(parent.id), \(parent.modification), \(inner) from \(parent.objectType) "
            + "where \(parent.id) = \(wanted)"
    }

    private func ask(_ id: RecordId) async throws -> Answer {
        let request = context.request("GET", context.basePath + "/query", query: [Pair("q", try query(id))])
        let root = try ServiceCalls.object(
            try await context.succeed(request), to: request, refusesDuplicateNames: false)
        try refuseTwice(inPage: root, request)
        guard let records = root["records"]?.array else {
            throw ServiceError.malformed(request, "the answer has no array of records")
        }
        var answer = Answer()
        guard let first = records.first else { return answer }
        guard let parent = first.object, records.count == 1,
            Self.id(parent, trees.parent).map({ $0 == ByteKey(id.text) }) ?? true
        else { throw ServiceError.malformed(request, "the answer has another record than the one that was asked for") }
        try refuseTwice(parent, trees.parent, asked: [trees.definition.plural], request)
        answer.parent = parent
        var page = try childPage(of: parent, request)
        var link: NextLink?
        while let current = page {
            try refuseTwice(inPage: current, request)
            for element in try childRecords(of: current, request) {
                guard let child = element.object, let id = Self.id(child, trees.children) else {
                    throw ServiceError.malformed(request, "a record has no id")
                }
                try refuseTwice(child, trees.children, asked: [], request)
                answer.children[id] = child
            }
            (page, link) = try await next(current, after: link, request)
        }
        return answer
    }

    /// The further page of children; nil after the last one.
    private func next(
        _ page: JSONObject, after former: NextLink?, _ request: ServiceRequest
    ) async throws -> (JSONObject?, NextLink?) {
        guard let value = page["nextRecordsUrl"], !value.isNull else {
            guard page["done"]?.bool != false else {
                throw ServiceError.malformed(request, "the answer is not the last page, and names no next one")
            }
            return (nil, nil)
        }
        guard let text = value.string else {
            throw ServiceError.malformed(request, "the link to the next page is not a text")
        }
        let link: NextLink
        do throws(WrongForm) {
            link = try NextLink(text, after: former)
        } catch {
            throw ServiceError.malformed(request, error.text)
        }
        let follow = ServiceRequest(
            method: "GET", path: link.path, encodedQuery: link.query, headers: ServiceCalls.headers)
        let response = try await context.send(follow)
        if let failure = ServiceError.failure(response, to: follow, isNextPage: true) {
            throw failure
        }
        return (try ServiceCalls.object(response, to: follow, refusesDuplicateNames: false), link)
    }

    /// The first page of the children of a record; nil for none. Children that cannot be read are not gone.
    private func childPage(of record: JSONObject, _ request: ServiceRequest) throws(Fault) -> JSONObject? {
        guard let value = record[trees.definition.plural], !value.isNull else { return nil }
        guard let page = value.object else {
            throw ServiceError.malformed(request, "the children of a record are not an object")
        }
        return page
    }

    private func childRecords(of page: JSONObject, _ request: ServiceRequest) throws(Fault) -> [JSONValue] {
        guard let value = page["records"], !value.isNull else { return [] }
        guard let records = value.array else {
            throw ServiceError.malformed(request, "the children of a record are not an array")
        }
        return records
    }

    /// Refuses a record that has a member twice by which the tree is judged.
    private func refuseTwice(
        _ record: JSONObject, _ part: UpPart, asked: [String], _ request: ServiceRequest
    ) throws(Fault) {
        guard !part.isAmbiguous(record, asked: asked) else {
            throw ServiceError.malformed(request, "a record in the answer has a member twice")
        }
    }

    /// Refuses a page that has its records twice, or twice what says whether there are more: neither of two can be
    /// believed.
    private func refuseTwice(inPage page: JSONObject, _ request: ServiceRequest) throws(Fault) {
        for name in ["records", "done", "nextRecordsUrl"] {
            let count = page.names.count { ByteKey($0) == ByteKey(name) }
            guard count < 2 else {
                throw ServiceError.malformed(request, "the answer has a member twice")
            }
        }
    }

    private static func id(_ record: JSONObject, _ part: UpPart) -> ByteKey? {
        (record[part.idField]?.string ?? record[part.idField]?.number?.text).map { ByteKey($0) }
    }

    // MARK: - Changes that the service has already

    /// Asks about the fields of all changes that the service has newer records for, with one call for each type.
    private func askAgain(_ members: [Member], _ unasked: Set<Int64>) async throws -> Verdict {
        var applied: [Applied] = []
        for isParent in [true, false] {
            let part = isParent ? trees.parent : trees.children
            let asked = members.filter { $0.isParent == isParent }
            guard let first = asked.first?.record, let names = AppliedChange(first, part).names,
                let theirs = try await PageQuestion(context, part).fields(asked.map(\.row), names)
            else { continue }
            for (member, record) in zip(asked, theirs) {
                guard let own = member.record,
                    case .applied(let date) = AppliedChange(own, part).verdict(record, after: member.dated)
                else { continue }
                applied.append(Applied(record: own, isParent: isParent, date: date))
            }
        }
        return applied.count == members.count ? .push(applied: applied, unasked: unasked) : .leave(.newer)
    }
}
