import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Links of deltas whose dependent entity is not there yet, as the soup `odata_links` keeps them.
final class PendingLinks {
    static let soupName = "odata_links"
    private let store: SmartStore
    private let rows: SoupRows
    /// Whether there can be any; nil before the first look.
    private var hasAny: Bool?

    init(_ store: SmartStore) {
        self.store = store
        rows = SoupRows(store, soup: Self.soupName)
    }

    /// The newest link; 0 if there is none. Links that are kept later have greater ids.
    func newest() throws(Fault) -> Int64 {
        guard try mayHaveAny() else { return 0 }
        let rows = try store.rows(
            "SELECT max({\(Self.soupName):_soupEntryId}) FROM {\(Self.soupName)}", limit: 1)
        guard case .value(.integer(let id))? = rows.first?.first else { return 0 }
        return id
    }

    /// Keeps a link until its dependent entity comes. It counts as skipped until then.
    func keep(
        _ reference: EntityReference, dependent: String, principal: String, of writer: PageWriter
    ) throws(Fault) {
        try store.registerSoup(
            Self.soupName, indexSpecs: [.string("from"), .string("to"), .string("dependent")])
        let from = "\(reference.dependent)(\(dependent))/\(Self.name(of: reference))"
        _ = try remove(reference, dependent: dependent, principal: nil, of: writer)
        _ = try rows.write(
            JSONObject([
                ("from", .string(from)), ("to", .string("\(reference.principal)(\(principal))")),
                ("dependent", .string("\(reference.dependent)(\(dependent))")),
                ("principalKey", .string(principal)), ("pending", true), ("set", .string(writer.set.name)),
            ]))
        hasAny = true
        writer.summary.skipped += 1
    }

    /// Forgets the links of a dependent entity over a foreign key, to one principal entity or to all, and returns
    /// whether there were any.
    func remove(
        _ reference: EntityReference, dependent: String, principal: String?, of writer: PageWriter
    ) throws(Fault) -> Bool {
        guard try mayHaveAny() else { return false }
        let from = "\(reference.dependent)(\(dependent))/\(Self.name(of: reference))"
        let found = try rows.rows(where: "from", is: .text(from)).filter { row in
            principal == nil || row["principalKey"]?.string == principal
        }
        for link in found {
            try remove(link, of: writer)
        }
        return !found.isEmpty
    }

    /// Forgets a link. One that this load has kept is not pending at its end, and so not skipped.
    private func remove(_ link: JSONObject, of writer: PageWriter) throws(Fault) {
        guard let id = link.entryId else { return }
        try store.remove(ids: [id], from: Self.soupName)
        if id > writer.newestLink, link["set"]?.string == writer.set.name {
            writer.summary.skipped -= 1
        }
    }

    /// Applies the links that have waited for an entity. One whose foreign key the entity itself states is older than
    /// that.
    func apply(to set: MappedEntitySet, _ entity: ArrivedEntity, _ writer: PageWriter) throws(Fault) {
        guard try mayHaveAny() else { return }
        let waiting = try rows.rows(where: "dependent", is: .text("\(set.name)(\(entity.key))"))
        for link in waiting {
            guard let from = link["from"]?.string, let principal = link["principalKey"]?.string
            else { continue }
            let reference = writer.map.references(ofDependent: set.name).first { reference in
                from.endsWithBytes(of: ")/" + Self.name(of: reference))
            }
            if let reference, reference.foreignKey.contains(where: { entity.properties.value(at: $0) == nil }) {
                try LinkApplication(writer: writer).link(reference, dependent: entity.key, principal: principal)
            }
            try remove(link, of: writer)
        }
    }

    /// Forgets the links that wait for entities of a set, because their keys are of a former form.
    func removeAll(ofDependents set: MappedEntitySet) throws(Fault) {
        guard try mayHaveAny() else { return }
        let soup = Self.soupName
        let found = try store.rows(
            "SELECT {\(soup):_soupEntryId} FROM {\(soup)} WHERE {\(soup):dependent} >= ? AND {\(soup):dependent} < ?",
            arguments: [.text(set.name + "("), .text(set.name + ")")], limit: Int(Int32.max))
        let ids = found.compactMap { cells -> Int64? in
            guard case .value(.integer(let id))? = cells.first else { return nil }
            return id
        }
        if !ids.isEmpty {
            try store.remove(ids: ids, from: soup)
        }
        hasAny = nil
    }

    /// Whether a link may wait for its entity.
    func mayHaveAny() throws(Fault) -> Bool {
        if let hasAny {
            return hasAny
        }
        var found = false
        if try store.soupExists(Self.soupName) {
            found = try !store.rows(
                "SELECT {\(Self.soupName):_soupEntryId} FROM {\(Self.soupName)}", limit: 1
            ).isEmpty
        }
        hasAny = found
        return found
    }

    private static func name(of reference: EntityReference) -> String {
        reference.navigation ?? reference.foreignKey.joined(separator: ",")
    }
}
