import JSONText
import LocalChanges
import OData
import Soups

/// Applies links of deltas: sets and empties the foreign keys of dependent entities.
struct LinkApplication {
    let writer: PageWriter

    /// Applies a link of a payload. One over a relation without a foreign key is counted as skipped.
    func apply(_ link: ODataFeed.DeltaLink) throws(Fault) {
        let reading = writer.client.reading
        if link.isDeleted, link.target == nil {
            return try unlinkOnly(link)
        }
        guard let source = link.source.flatMap({ reading.reference(inURL: $0.resolved) }),
            let target = link.target.flatMap({ reading.reference(inURL: $0.resolved) }),
            let relation = writer.map.target(ofNavigation: link.relationship, in: source.set),
            ByteKey(relation.set.name) == ByteKey(target.set.name), isByKey(relation.reference)
        else {
            writer.summary.skipped += 1
            return
        }
        let dependent = relation.isDependent ? target : source
        let principal = relation.isDependent ? source : target
        guard try writer.buffer(dependent.set).row(dependent.key) != nil else {
            try wait(for: relation.reference, dependent: dependent.key, principal: principal.key, link)
            return
        }
        if link.isDeleted {
            try unlink(relation.reference, dependent: dependent.key, principal: principal.key)
        } else {
            try self.link(relation.reference, dependent: dependent.key, principal: principal.key)
        }
    }

    /// Applies a deleted link without a target: the property has one related entity, whichever it is. Where the foreign
    /// key is the other entity's, nothing says which one that is.
    private func unlinkOnly(_ link: ODataFeed.DeltaLink) throws(Fault) {
        guard let source = link.source.flatMap({ writer.client.reading.reference(inURL: $0.resolved) }),
            let relation = writer.map.target(ofNavigation: link.relationship, in: source.set),
            !relation.isDependent, isByKey(relation.reference)
        else {
            writer.summary.skipped += 1
            return
        }
        guard try writer.buffer(source.set).row(source.key) != nil else {
            if try !writer.pendingLinks.remove(relation.reference, dependent: source.key, principal: nil, of: writer) {
                writer.summary.skipped += 1
            }
            return
        }
        try unlink(relation.reference, dependent: source.key, principal: nil)
    }

    /// Keeps a link until its dependent entity comes, or forgets one that is kept.
    private func wait(
        for reference: EntityReference, dependent: String, principal: String, _ link: ODataFeed.DeltaLink
    ) throws(Fault) {
        let links = writer.pendingLinks
        guard link.isDeleted else {
            return try links.keep(reference, dependent: dependent, principal: principal, of: writer)
        }
        if try !links.remove(reference, dependent: dependent, principal: principal, of: writer) {
            writer.summary.skipped += 1
        }
    }

    /// Sets the foreign key of a row. One that was changed here is left.
    func link(_ reference: EntityReference, dependent: String, principal: String) throws(Fault) {
        try change(reference, dependent) { row in
            guard let owner = writer.map.find(reference.principal) else { return nil }
            var row = row
            for (path, name) in zip(reference.foreignKey, reference.principalKey) {
                guard let value = KeyReplacement.part(name, of: principal, owner) else { return nil }
                row = row.setting(value, at: path)
            }
            return row
        }
    }

    /// Empties the foreign key of a row that still names the principal entity. Where it names another one, nothing is
    /// done; nil stands for any. What is a part of the row's own key stays.
    func unlink(_ reference: EntityReference, dependent: String, principal: String?) throws(Fault) {
        try change(reference, dependent) { row in
            guard let owner = writer.map.find(reference.principal), let set = writer.map.find(reference.dependent)
            else { return nil }
            let free = reference.foreignKey.filter { !set.isPartOfKey($0) }
            let names = zip(reference.foreignKey, reference.principalKey).allSatisfy { path, name in
                principal.map { set.areSame(row.value(at: path), KeyReplacement.part(name, of: $0, owner), at: path) }
                    ?? true
            }
            guard names, !free.isEmpty else { return nil }
            return free.reduce(row) { $0.setting(.null, at: $1) }
        }
    }

    private func change(
        _ reference: EntityReference, _ dependent: String, _ work: (JSONObject) -> JSONObject?
    ) throws(Fault) {
        guard let set = writer.map.find(reference.dependent) else { return }
        try writer.requirePresentKeys(of: set)
        writer.meet(dependent, of: set)
        let buffer = writer.buffer(set)
        guard let row = try buffer.row(dependent), !LocalFlags(of: row).isDirty, let changed = work(row) else {
            writer.summary.skipped += 1
            return
        }
        writer.summary.linked += 1
        try buffer.put(changed, dependent)
    }

    /// Whether the foreign key has the key of the principal entity, which the URL of a link names.
    private func isByKey(_ reference: EntityReference) -> Bool {
        guard let principal = writer.map.find(reference.principal) else { return false }
        return principal.key.map { ByteKey($0.replacingSlashes) }.sorted(by: isBefore)
            == reference.principalKey.map { ByteKey($0) }.sorted(by: isBefore)
    }

    private func isBefore(_ a: ByteKey, _ b: ByteKey) -> Bool { EntitySetMap.isBefore(a.text, b.text) }
}
