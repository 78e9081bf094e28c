import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import ServiceTransport
import Soups
import Synchronization
import TestSupport

/// How a sync up is sent, for plans that are cut at every request.
struct CutPlan: Sendable {
    let kind: String
    let level: String
    let mode: SyncMergeMode
    var isTree: Bool { kind == "parent_children" }

    var target: JSONObject {
        var target: JSONObject = [
            "swiftImpl": .string(kind), "createFieldlist": ["Name", "ExternalId__c"], "updateFieldlist": ["Name"],
        ]
        if level == "A" {
            target["externalIdFieldName"] = "ExternalId__c"
            target["generatesExternalId"] = true
        }
        guard isTree else { return target }
        var parent: JSONObject = ["sobjectType": "Account", "soupName": "accounts"]
        var children: JSONObject = [
            "sobjectType": "Contact", "soupName": "contacts", "sobjectTypePlural": "Contacts",
            "parentIdFieldName": "AccountId",
        ]
        if level == "A" {
            parent["externalIdFieldName"] = "ExternalId__c"
            children["externalIdFieldName"] = "ExternalId__c"
        }
        target["parent"] = .object(parent)
        target["children"] = .object(children)
        target["relationshipType"] = "MASTER_DETAIL"
        target["childrenCreateFieldlist"] = ["LastName", "ExternalId__c"]
        target["childrenUpdateFieldlist"] = ["LastName"]
        return target
    }
}

/// Where and how a run is cut.
struct Cut: Sendable {
    enum Kind: Sendable, CaseIterable {
        /// The request does not reach the service.
        case beforeDelivery
        /// The service applies the request and its answer is lost.
        case afterDelivery
        /// The answer breaks off.
        case withinAnswer
        /// The process ends before the request is sent, or when it was applied.
        case killedBefore, killedAfter
    }

    let kind: Kind
    let request: Int
}

/// A store and a service with a few records, changed offline.
final class CutWorld: Sendable {
    let place: SyncPlace
    let plan: CutPlan
    let backEnd: BackEnd
    var mock: MockService { place.mock }
    /// The names that the service has in the end, by type.
    let expected: [String: [String]]
    /// The names of records that were created offline.
    let created: [String: [String]]

    static let soups = ["Account": (soup: "accounts", field: "Name"), "Contact": (soup: "contacts", field: "LastName")]

    init(_ plan: CutPlan, _ backEnd: BackEnd) async throws {
        self.plan = plan
        self.backEnd = backEnd
        place = try SyncPlace(backEnd)
        try place.register("accounts")
        try place.register("contacts", [.string("AccountId")])
        expected = [
            "Account": ["a changed", "c", "new 1", "new 2"],
            "Contact": plan.isTree ? ["ca changed", "new child 1", "new child a"] : ["ca", "cb"],
        ]
        created = ["Account": ["new 1", "new 2"], "Contact": plan.isTree ? ["new child 1", "new child a"] : []]
        var ids: [String] = []
        for name in ["a", "b", "c"] {
            ids.append(try mock.create("Account", ["Name": .string(name)]))
        }
        _ = try mock.create("Contact", ["LastName": "ca", "AccountId": .string(ids[0])])
        _ = try mock.create("Contact", ["LastName": "cb", "AccountId": .string(ids[2])])
        let manager = try place.manager(mock.transport)
        try await Self.down(manager)
        await manager.close()
        mock.clock.now += 60_000
        try edit(ids)
    }

    /// Brings what is new; rows that were changed here stay.
    static func down(_ manager: SyncManager) async throws {
        let queries = [
            "accounts": "select Name, ExternalId__c from Account",
            "contacts": "select LastName, AccountId, ExternalId__c from Contact",
        ]
        for (soup, query) in queries {
            if try await manager.hasSync(named: soup) {
                try await manager.reSync(.name(soup)).requireDone()
            } else {
                try await manager.sync(
                    .down, target: ["type": "soql", "query": .string(query)], soup: soup,
                    options: SyncOptions(mergeMode: .leaveIfChanged), name: soup
                ).requireDone()
            }
        }
    }

    private func edit(_ ids: [String]) throws {
        let accounts = LocalEdits(place.store, soup: "accounts")
        let contacts = LocalEdits(place.store, soup: "contacts")
        func entry(_ soup: String, _ id: String) throws -> Int64 {
            try place.store.lookupEntryId(inSoup: soup, path: "Id", value: .text(id)) ?? 0
        }
        let attributes: JSONValue = ["type": "Account"]
        _ = try accounts.update(entry("accounts", ids[0]), changes: ["Name": "a changed"])
        try accounts.delete(entry("accounts", ids[1]))
        let first = try accounts.create(["Name": "new 1", "attributes": attributes])
        _ = try accounts.create(["Name": "new 2", "attributes": attributes])
        guard plan.isTree else { return }
        _ = try contacts.update(
            entry("contacts", mock.records(of: "Contact")[0]["Id"]?.string ?? ""), changes: ["LastName": "ca changed"])
        try contacts.delete(entry("contacts", mock.records(of: "Contact")[1]["Id"]?.string ?? ""))
        _ = try contacts.create(["LastName": "new child 1", "AccountId": first["Id"] ?? .null])
        _ = try contacts.create(["LastName": "new child a", "AccountId": .string(ids[0])])
    }

    // MARK: - Running

    /// Sends to the service, and cuts one request. Returns what is sent with, and whether the cut was reached.
    func transport(_ cut: Cut?) -> (transport: any Transport, wasReached: SharedFlag) {
        let reached = SharedFlag()
        let number = Counter()
        let (mock, store) = (mock, place.store)
        let transport = FunctionTransport { request in
            guard let cut, number.next() == cut.request else {
                return try await mock.transport.send(request)
            }
            reached.set()
            switch cut.kind {
            case .beforeDelivery: throw TransportFailure.notSent("cut")
            case .afterDelivery:
                _ = try await mock.transport.send(request)
                throw TransportFailure.noAnswer("cut")
            case .withinAnswer:
                var answer = try await mock.transport.send(request)
                answer.body = Array(answer.body.prefix(answer.body.count / 2))
                guard !answer.body.isEmpty else { throw TransportFailure.noAnswer("cut") }
                return answer
            case .killedBefore, .killedAfter:
                if cut.kind == .killedAfter {
                    _ = try await mock.transport.send(request)
                }
                try await store.close()
                throw TransportFailure.noAnswer("the process was killed")
            }
        }
        return (transport, reached)
    }

    final class Counter: Sendable {
        private let value = Atomic(0)
        func next() -> Int { value.add(1, ordering: .relaxed).newValue }
    }

    /// The rows of a soup.
    func rows(_ soup: String) throws -> [JSONObject] {
        try place.rows("SELECT {\(soup):_soup} FROM {\(soup)} ORDER BY {\(soup):_soupEntryId}").map {
            try JSONValue(parsing: Array($0[0].utf8)).object ?? JSONObject()
        }
    }
}

/// A flag that closures share.
final class SharedFlag: Sendable {
    private let flag = Atomic(false)
    func set() { flag.store(true, ordering: .releasing) }
    var isSet: Bool { flag.load(ordering: .acquiring) }
}
