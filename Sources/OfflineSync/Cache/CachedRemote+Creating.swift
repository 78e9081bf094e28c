import JSONText
import LocalChanges
import OfflineStore
import Soups

extension CachedRemote {
    /// A creation that is about to be sent.
    private struct Claim: Sendable {
        /// The cached record; `nil` if the cache has no record with this key.
        let image: JSONObject?
        /// The local version.
        let yours: JSONObject
        /// What is sent of it.
        let sent: JSONObject
        /// The number of the soup, which tells it from a later one of its name.
        let soupId: Int64?
    }

    /// Creates on the service what the cache has under a local id.
    ///
    /// - Parameter isCached: Whether it must be there: what another call has created has another id.
    func createLocal(
        _ local: String, with given: JSONObject, fields: [String]?, isCached: Bool
    ) async throws -> CachedRecord {
        let claim = try await cache.store.transaction { _ in
            let claim = try claimCreation(local, given, fields)
            guard claim.image != nil || !isCached else {
                throw Fault(
                    .invalidEntry,
                    "the cache has no record with this local id; it may have been created in the meantime",
                    context: [.soup(cache.soup)])
            }
            return claim
        }
        switch await creation(of: claim.sent) {
        case .created(let id):
            let stored = try await saveOutcome {
                try forget(claim)
                return try moveCreated(from: local, to: id, sent: claim.yours, image: claim.image)
            }
            return CachedRecord(record: stored, isFromCache: false)
        case .failed(let error, isInDoubt: false):
            try await saveOutcome { try forget(claim) }
            throw error
        case .failed(let error, isInDoubt: true): throw error
        }
    }

    /// Notes a creation before it is sent. A row has one at a time: the service would create a second record.
    private func claimCreation(_ local: String, _ given: JSONObject, _ fields: [String]?) throws(Fault) -> Claim {
        let image = try cache.row(local)
        try requireNotDeleted(image)
        let yours = ownMembers(of: image ?? JSONObject()).merging(given)
        let claim = Claim(
            image: image, yours: yours, sent: body(of: yours, fields), soupId: try cache.store.soupId(cache.soup))
        guard let entryId = image?.entryId else {
            return claim
        }
        let outbox = Outbox(cache.store)
        guard try outbox.row(soup: cache.soup, entryId: entryId) == nil else {
            throw Fault(
                .inDoubt, "the record is being created, or the answer was lost; resolve it in the outbox first",
                context: [.soup(cache.soup)])
        }
        try outbox.keep([
            OutboxRow(
                soupName: cache.soup, entryId: entryId, syncId: nil,
                objectType: (remote as? ServiceRemote)?.objectType ?? yours[ReservedField.attributes]?["type"]?.string
                    ?? "",
                sent: claim.sent, sentAt: StoreClock.system.now()
            ).naming(keyField: cache.keyField)
        ])
        return claim
    }

    private func forget(_ claim: Claim) throws(Fault) {
        if let entryId = claim.image?.entryId, try cache.store.soupId(cache.soup) == claim.soupId {
            try Outbox(cache.store).remove(soup: cache.soup, entryId: entryId)
        }
    }

    private func creation(of fields: JSONObject) async -> CreationOutcome {
        if let service = remote as? ServiceRemote {
            return await service.creation(of: fields)
        }
        do {
            return .created(id: try await remote.create(fields))
        } catch {
            return .failed(error, isInDoubt: CreationOutcome.isInDoubt(after: error))
        }
    }

    /// Moves a record from its local id to that of the service.
    private func moveCreated(
        from local: String, to id: String, sent: JSONObject, image: JSONObject?
    ) throws(Fault) -> JSONObject {
        try originals?.remove(local)
        let stored = try cache.row(local)
        let others = try cache.rows.rows(where: cache.keyField, is: .text(id))
        let rival = others.first { LocalFlags(of: $0).isDirty }
        if rival == nil {
            try saveOriginal(sent, id: id)
        }
        if stored != nil || image == nil {
            // A sync has brought the new record already.
            try cache.removeRows(others.filter { !LocalFlags(of: $0).isDirty }.compactMap(\.entryId))
        }
        if let stored, let image, stored != image {
            var flags = LocalFlags()
            flags.isDeleted = LocalFlags(of: stored).isDeleted
            flags.isUpdated = !flags.isDeleted
            return try putEdited(
                stored, from: image, onto: ownMembers(of: image).merging(sent), id: id, flags,
                error: rival == nil ? nil : CreatedRow.duplicate)
        }
        if let rival {
            // It has local changes; the record that was created is whole on the service.
            try cache.removeRows([stored?.entryId].compactMap(\.self))
            return rival
        }
        guard stored != nil || image == nil else {
            // The app has removed it in the meantime.
            var record = sent
            record[cache.keyField] = .string(id)
            return record
        }
        return try put((stored ?? JSONObject()).merging(sent), id: id, LocalFlags(), at: stored?.entryId)
    }
}
