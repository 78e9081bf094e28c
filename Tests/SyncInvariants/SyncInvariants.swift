public import MockService
public import OfflineStore
public import OfflineSync
import Soups
import Synchronization

/// What an app changed in a soup before its syncs are cut. Records are known by their names.
public struct LocalWork: Sendable {
    public let soup: String
    public let type: String
    /// The field with the name of a record.
    public let field: String
    /// The names of created records.
    public var created: Set<String> = []
    /// The new names of updated records, by their ids.
    public var updated: [String: String] = [:]
    /// The ids of deleted records.
    public var deleted: Set<String> = []

    public init(soup: String, type: String, field: String) {
        self.soup = soup
        self.type = type
        self.field = field
    }
}

/// Checks what holds after every cut of a sync, INV-1 to INV-6, and what the end is like.
///
/// Nobody but the store under test changes records of the service, unless `names` says so.
public final class SyncInvariants: Sendable {
    private let store: SmartStore
    private let service: MockService
    private let work: [LocalWork]
    /// Whether local changes are sent; else they only have to stay.
    private let sends: Bool
    /// Whether no record may be created twice.
    private let createsOnce: Bool
    private let delivered = Mutex<[String: Set<String>]>([:])

    public init(
        _ store: SmartStore, _ service: MockService, _ work: [LocalWork], sends: Bool = true, createsOnce: Bool = true
    ) {
        self.store = store
        self.service = service
        self.work = work
        self.sends = sends
        self.createsOnce = createsOnce
    }

    // MARK: - What was delivered

    /// The ids of all records that the service has now, by soup.
    public func serviceIds() -> [String: Set<String>] {
        var ids: [String: Set<String>] = [:]
        for work in work {
            ids[work.soup] = Set(records(work).compactMap { $0["Id"]?.string })
        }
        return ids
    }

    /// Notes that syncs down have come to their end, before which the service had these records.
    public func noteDelivery(_ ids: [String: Set<String>]) {
        delivered.withLock { $0.merge(ids) { $0.union($1) } }
    }

    // MARK: - Checks

    /// What is wrong after a run, however it ended, in a store that was opened again by a manager.
    public func findings(_ manager: SyncManager) async throws -> [String] {
        var found: [String] = []
        for work in work {
            found += try findings(work).map { "\($0) (\(work.soup))" }
        }
        if try await !manager.syncs(with: .running).isEmpty {
            found.append("INV-5: a sync is running")
        }
        found += try await store.integrityCheck().findings.map { "INV-6: \($0.code.rawValue) (\($0.soup ?? ""))" }
        return found
    }

    /// What is wrong when all syncs have come to their end: both sides must be as they are without a cut.
    ///
    /// - Parameter names: The names that the service has in the end, by soup.
    public func findingsAtEnd(_ manager: SyncManager, names: [String: [String]]) async throws -> [String] {
        var found = try await findings(manager)
        for status in SyncStatus.allCases where status != .done {
            found += try await manager.syncs(with: status).map { "INV-5: a sync is \($0.status.rawValue)" }
        }
        for work in work {
            let (records, rows) = (records(work), try rows(work))
            let expected = names[work.soup]?.sorted()
            if records.compactMap({ $0[work.field]?.string }).sorted() != expected {
                found.append("INV-5: the service has other records (\(work.soup))")
            }
            if rows.compactMap({ $0[work.field]?.string }).sorted() != expected {
                found.append("INV-5: the soup has other rows (\(work.soup))")
            }
            if rows.compactMap({ $0["Id"]?.string }).sorted() != records.compactMap({ $0["Id"]?.string }).sorted() {
                found.append("INV-5: soup and service have other ids (\(work.soup))")
            }
            if rows.contains(where: { LocalFlags(of: $0).isDirty }) {
                found.append("INV-5: a row is still to be sent (\(work.soup))")
            }
        }
        return found
    }

    private func findings(_ work: LocalWork) throws -> [String] {
        var found: [String] = []
        let rows = try rows(work)
        let theirs = records(work)
        let records = Dictionary(theirs.map { ($0["Id"]?.string ?? "", $0) }) { first, _ in first }
        let waiting = rows.filter { LocalFlags(of: $0).isDirty }
        func name(_ object: JSONObject?) -> String? { object?[work.field]?.string }
        func row(_ id: String) -> JSONObject? { waiting.first { $0["Id"]?.string == id } }

        let unsent = Set(waiting.compactMap { name($0) })
        let counts = theirs.reduce(into: [String: Int]()) { counts, record in
            counts[name(record) ?? "", default: 0] += 1
        }

        // INV-1: a change is on the service, or its row is still to be sent.
        for (id, wanted) in work.updated where name(row(id)) != wanted && !(sends && name(records[id]) == wanted) {
            found.append("INV-1: the change of \(id) is lost")
        }
        for id in work.deleted where row(id) == nil && !(sends && records[id] == nil) {
            found.append("INV-1: the deletion of \(id) is lost")
        }
        for wanted in work.created {
            let count = counts[wanted] ?? 0
            if !(sends && count > 0), !unsent.contains(wanted) {
                found.append("INV-1: the creation of \(wanted) is lost")
            }
            // INV-3: nothing was created twice.
            if createsOnce, count > 1 {
                found.append("INV-3: \(wanted) was created twice")
            }
        }
        // INV-2: what was there before a sync down came to its end is in the soup, for as long as the service has it.
        let held = Set(rows.compactMap { $0["Id"]?.string })
        for id in delivered.withLock({ $0[work.soup] ?? [] }).sorted() where records[id] != nil && !held.contains(id) {
            found.append("INV-2: \(id) is missing")
        }
        // INV-4: a clean row is what the service has.
        for row in rows where !LocalFlags(of: row).isDirty {
            let id = row["Id"]?.string ?? ""
            if records[id] == nil || name(records[id]) != name(row) {
                found.append("INV-4: \(id) is clean and not as the service has it")
            }
        }
        return found
    }

    private func records(_ work: LocalWork) -> [JSONObject] { service.records(of: work.type) }

    private func rows(_ work: LocalWork) throws -> [JSONObject] {
        let cursor = try store.query(.all(pageSize: 1_000), soup: work.soup)
        var rows: [JSONObject] = []
        func add(_ page: StorePage) throws {
            for entry in page.entries {
                rows.append(try JSONValue(parsing: Array(entry)).object ?? JSONObject())
            }
        }
        try add(cursor.currentPage)
        while cursor.hasNextPage {
            try add(cursor.moveToNextPage())
        }
        return rows
    }
}
