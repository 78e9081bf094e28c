import JSONText
import LocalChanges
import OData
import OfflineStore
import ServiceTransport
import Soups

/// Makes the request of a change from its row.
struct ChangeRequestBuilder {
    let client: ODataClient
    let change: PlannedChange
    let row: ChangedRow
    /// Whether the URL is relative, for a part of a batch.
    let isRelative: Bool
    /// The Content-IDs of inserts of the same change set that the row refers to.
    var contentIDs: [(reference: EntityReference, id: String)] = []
    /// The types that payloads have stated for properties that no model declares.
    private let statedTypes: [String: String]
    /// The references that the caller binds.
    private let bound: [EntityReference]

    /// Reads what is known of the set. Throws as reading rows.
    init(_ client: ODataClient, _ change: PlannedChange, _ row: ChangedRow, isRelative: Bool = false) throws(Fault) {
        self.client = client
        self.change = change
        self.row = row
        self.isRelative = isRelative
        bound = row.boundReferences
        statedTypes = change.set.model == nil ? try client.registry.types(of: change.set) : [:]
    }

    private var set: MappedEntitySet { row.set }
    private var version: ODataVersion { client.map.version }

    /// A request in the parts of an HTTP message.
    struct Request {
        var method: String
        var url: String
        var headers: [(name: String, value: String)]
        var body: String?
        /// The properties that are sent, with the foreign keys that links are sent for.
        var sent: JSONObject
    }

    /// The type of the entity if it is not that of the set. An entity of a type that the metadata does not have yet can
    /// be changed by its own URL, but not created.
    private var typeOfEntity: String? {
        let stated = row.row.control["type"]?.string
        return change.isInsert ? stated : stated.flatMap(set.knownType)
    }

    /// The request; nil if there is nothing to send.
    ///
    /// Throws only the faults of `ODataChangeRequest`: no request can be written for this row, while others can.
    func request(contentID: String? = nil) throws(Fault) -> Request? {
        let sent = sentProperties
        let readOnly = readOnlyReferences
        var properties = localReferences(in: sent).reduce(sent) { $0.setting(nil, at: $1) }.removing(where: \.isBinding)
        if set.model == nil, change.isInsert, let type = row.row.control["type"]?.string {
            // Without a model the type of the entity is known from its properties alone.
            properties = JSONObject([("@odata.type", .string("#" + type))]).merging(properties)
        }
        var request = ODataChangeRequest(
            operation, entitySet: set.name, key: key, properties: properties,
            etag: etag, serviceRoot: isRelative ? "" : client.connection.root.text, version: version,
            format: client.options.format, model: set.model, entityType: typeOfEntity)
        request.returns = change.isInsert ? client.options.insertAnswer : updateAnswer
        request.isTunnelled = set.settings.tunnels
        request.contentID = contentID
        request.statedTypes = statedTypes
        // A row may have properties of the service that the metadata does not have yet.
        request.acceptsUndeclared = true
        var url: String?
        let contentIDs = contentIDs.filter { !bound.contains($0.reference) }
        if let parent = contentIDs.first {
            if let inverse = parent.reference.inverse, parent.reference.isCollection {
                url = "$" + parent.id + "/" + inverse.percentEncoded { $0.isUnreserved }
            }
            for (reference, id) in contentIDs.dropFirst(url == nil ? 0 : 1) {
                guard let navigation = reference.navigation else { continue }
                request.links.append(.init(navigation, to: "$" + id))
            }
        }
        request.links += readOnly.compactMap(link) + sent.members.compactMap(Self.binding)
        guard let method = request.method,
            change.operation == .delete || !sent.isEmpty || !readOnly.isEmpty || change.isInsert
        else {
            return nil
        }
        if url == nil {
            url = try self.url(of: request)
        }
        return Request(
            method: method, url: url ?? "", headers: try request.headers, body: try body(of: request, sent),
            sent: sent.merging(foreignKeys(of: readOnly)))
    }

    /// The update that sets the foreign keys which the insert of the same row leaves out. The key is not known yet.
    func completion(of plan: [PlannedChange], contentID: String?) throws(Fault) -> Request? {
        let insert = plan.first { $0.isInsert && $0.entryId == change.entryId && $0.set.name == set.name }
        let leftOut = insert?.leftOut ?? []
        let sent = foreignKeys(of: leftOut).removing { set.isReadOnly($0, isInsert: false) }
        var request = ODataChangeRequest(
            .update, entitySet: set.name, key: key, serviceRoot: isRelative ? "" : client.connection.root.text,
            version: version, format: client.options.format)
        request.returns = client.options.updateAnswer
        request.isTunnelled = set.settings.tunnels
        request.contentID = contentID
        request.properties = sent
        request.links = leftOut.filter { $0.foreignKey.contains { sent[$0] == nil } }.compactMap(link)
        return Request(
            method: request.method ?? "PATCH", url: try request.url(), headers: try request.headers,
            body: try request.body(), sent: sent)
    }

    private var operation: ODataChangeRequest.Operation {
        switch change.operation {
        case .insert: .insert
        case .update: set.settings.replaces ? .replace : .update
        case .delete: .delete
        }
    }

    private var updateAnswer: ODataChangeRequest.Answer? {
        change.operation == .delete ? nil : client.options.updateAnswer
    }

    private var etag: String? {
        guard !change.isInsert else { return nil }
        if let partner = change.partner {
            return partner.etag
        }
        return (row.base ?? row.row).etag ?? (set.settings.matchesAnyETag ? "*" : nil)
    }

    private var key: JSONValue {
        change.isInsert ? .null : StoredKey.value(ofText: change.partner?.keyText ?? change.key) ?? .string(change.key)
    }

    /// The edit link of the row, if it has one, otherwise the set and the key.
    private func url(of request: ODataChangeRequest) throws(Fault) -> String {
        guard !change.isInsert else {
            return try request.url()
        }
        if set.isSingleton {
            return (isRelative ? "" : client.connection.root.text) + set.urlSegment + castSegment
        }
        if change.partner == nil, let edit = client.connection.editLink(of: row.base ?? row.row) {
            // A batch takes nothing but ASCII, and its other requests are sent with this one.
            return edit.percentEncoded { $0 < 0x80 }
        }
        return try request.url() + castSegment
    }

    /// The segment that leads to the properties of a derived type. URLs of versions 1.0 and 2.0 do not have it.
    private var castSegment: String {
        guard change.operation == .update, version >= .v3, let type = set.entityType, type != change.set.entityType
        else { return "" }
        return "/" + type.percentEncoded { $0 < 0x80 }
    }

    // MARK: - Properties

    /// The properties that are sent, in the order of the row: without the foreign keys whose links the caller binds.
    private var sentProperties: JSONObject {
        bound.flatMap(\.foreignKey).reduce(changedProperties) { $0.setting(nil, at: $1) }
    }

    private var changedProperties: JSONObject {
        let mine = row.mine
        switch change.operation {
        case .delete: return JSONObject()
        case .insert:
            let own = mine.removing { name in
                set.isReadOnly(name, isInsert: true) || name.isAnnotation || set.isKey(name) && !isKnown(name)
            }
            let leftOut = change.leftOut + contentIDs.map(\.reference)
            return leftOut.flatMap(\.foreignKey).reduce(own) { $0.setting(nil, at: $1) }
        case .update:
            if set.settings.replaces {
                // A row may lack properties that its partner has.
                let whole = change.partner.map { $0.properties(of: set).merging(mine) } ?? mine
                return whole.removing { set.isReadOnly($0, isInsert: false) || $0.isAnnotation || set.isKey($0) }
            }
            return JSONObject(
                changedNames.filter { !set.isReadOnly($0, isInsert: false) && !set.isKey($0) && !$0.isAnnotation }
                    .filter { change.partner == nil || mine[$0] != nil }
                    .map { ($0, mine[$0] ?? .null) })
        }
    }

    /// The link of a member that binds one, which each version writes in its own form.
    private static func binding(_ name: String, _ value: JSONValue) -> ODataChangeRequest.Link? {
        guard name.isBinding else { return nil }
        if let targets = value.array {
            return .init(name.boundNavigation, toAll: targets.compactMap(\.string))
        }
        return .init(name.boundNavigation, to: value.string)
    }

    /// The names of the properties that differ from the version which the change is for.
    private var changedNames: [String] {
        change.partner.map { row.form.differences(from: $0.properties(of: set), to: row.mine) } ?? row.changedNames
    }

    /// Whether a key property of a new row has its value, or will have it: that of a new entity that the row refers to.
    /// The service gives the other parts of the key.
    private func isKnown(_ name: String) -> Bool {
        guard let value = row.mine[name], !value.isNull else { return false }
        guard let id = value.string, LocalId.isLocal(id) else {
            return true
        }
        return ByteKey(id) != ByteKey(row.row.keyText) && isLocalReference(name, row.mine)
    }

    /// Whether a sent foreign key names an entity that has no key yet.
    func isUnresolved(_ request: Request) -> Bool { !localReferences(in: request.sent).isEmpty }

    /// The paths of the sent foreign keys that name entities without a key, also inside complex values.
    private func localReferences(in sent: JSONObject) -> [String] {
        var paths: [String] = []
        for path in set.references.flatMap(\.foreignKey)
        where LocalId.isLocal(sent.value(at: path)?.string ?? "") && !paths.contains(path) {
            paths.append(path)
        }
        return paths
    }

    /// Whether a sent foreign key names a new entity by a key that the client gave, which no change of this push sends.
    ///
    /// - Parameter sets: The names of the sets of the push, whose order takes care of that.
    func namesUnsentEntity(_ request: Request, besides sets: Set<ByteKey>) throws(Fault) -> Bool {
        for reference in set.references where !sets.contains(ByteKey(reference.principal)) {
            let isSent = reference.foreignKey.contains { request.sent.value(at: $0) != nil }
            guard isSent, let key = client.principalKey(of: row.row, reference), !LocalId.isLocal(key),
                let principal = client.map.find(reference.principal), try client.store.soupExists(principal.soup)
            else { continue }
            let rows = try SoupRows(client.store, soup: principal.soup).rows(where: RowMember.key, is: .text(key))
            if rows.contains(where: { LocalFlags(of: $0).pushed == .insert }) {
                return true
            }
        }
        return false
    }

    /// The sent foreign key that names a new entity which is not here any more, so that it will never have a key; nil
    /// if all can be resolved. A part of a composite key may be the local id of another entity, and is not looked at.
    func brokenReference(_ request: Request) throws(Fault) -> String? {
        let references = client.map.references(ofDependent: set.name)
        for name in localReferences(in: request.sent) {
            guard let id = request.sent.value(at: name)?.string else { continue }
            // Several references may use one foreign key.
            let naming = references.filter { $0.foreignKey.contains { ByteKey($0) == ByteKey(name) } }
            var isBroken = !naming.isEmpty && naming.allSatisfy { $0.foreignKey.count == 1 }
            for reference in naming where isBroken {
                guard let principal = client.map.find(reference.principal),
                    try client.store.soupExists(principal.soup)
                else {
                    isBroken = false
                    break
                }
                let rows = SoupRows(client.store, soup: principal.soup)
                isBroken = try rows.rows(where: RowMember.key, is: .text(id)).isEmpty
            }
            if isBroken {
                return name
            }
        }
        return nil
    }

    private func isLocalReference(_ name: String, _ sent: JSONObject) -> Bool {
        LocalId.isLocal(sent[name]?.string ?? "") && client.map.isForeignKey(name, of: set)
    }

    /// The changed foreign keys that the service does not let clients write, and that links are sent for.
    private var readOnlyReferences: [EntityReference] {
        guard change.operation != .delete else {
            return []
        }
        let changed = Set(changedNames.map { ByteKey($0) })
        return set.references.filter { reference in
            reference.navigation != nil && !change.leftOut.contains(reference) && !bound.contains(reference)
                && !contentIDs.contains { $0.reference == reference }
                && reference.foreignKey.contains { name in
                    changed.contains(ByteKey(name)) && set.isReadOnly(name, isInsert: change.isInsert)
                }
                && client.principalKey(of: row.row, reference) != nil
        }
    }

    /// The link in place of a foreign key. That of an entity without a key has the local id in its URL.
    private func link(_ reference: EntityReference) -> ODataChangeRequest.Link? {
        guard let navigation = reference.navigation, let key = client.principalKey(of: row.row, reference),
            let principal = client.map.find(reference.principal)
        else { return nil }
        let root = client.connection.root.text
        guard !LocalId.isLocal(key) else {
            let local = ODataChangeRequest(
                .delete, entitySet: principal.name, key: .string(key), serviceRoot: root, version: version)
            return (try? local.url()).map { .init(navigation, to: $0) }
        }
        return EntityControl(map: client.map, set: principal, serviceRoot: root).url(key)
            .map { .init(navigation, to: $0) }
    }

    /// The values that the row has for foreign keys.
    private func foreignKeys(of references: [EntityReference]) -> JSONObject {
        let names = references.flatMap(\.foreignKey)
        return JSONObject(
            row.mine.members.filter { member in names.contains { ByteKey($0) == ByteKey(member.name) } }
                .map { ($0.name, $0.value) })
    }

    /// The body, with local ids in foreign keys whose entity has no key yet.
    private func body(of request: ODataChangeRequest, _ sent: JSONObject) throws(Fault) -> String? {
        let written = try request.body()
        let local = sent.members.filter { isLocalReference($0.name, sent) }
        guard let written, !local.isEmpty else { return written }
        if client.options.format == .atom {
            let elements = local.map { "<d:\($0.name)>\($0.value.string ?? "")</d:\($0.name)>" }.joined()
            guard let end = written.range(of: "</m:properties>") else { return written }
            return written.replacingCharacters(in: end, with: elements + "</m:properties>")
        }
        guard let object = (try? JSONValue(parsing: written))?.object else { return written }
        var members = object.members.map { ($0.name, $0.value) }
        let order = sent.names
        for (name, value) in local {
            let before = order.prefix { $0 != name }
            let index = members.lastIndex { member in before.contains(member.0) }.map { $0 + 1 } ?? 0
            members.insert((name, value), at: index)
        }
        return JSONValue.object(JSONObject(members)).text()
    }
}

extension String {
    /// The range of the first occurrence of a text.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }

    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
