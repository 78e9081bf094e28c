import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import ServiceTransport
import Soups
import SyncInvariants
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
    let setup: SyncSetup
    let plan: CutPlan
    let backEnd: BackEnd
    var mock: MockService { setup.mock }
    /// The names that the service has in the end, by soup.
    let expected: [String: [String]]
    /// What holds after every cut.
    let invariants: SyncInvariants

    init(_ plan: CutPlan, _ backEnd: BackEnd) async throws {
        self.plan = plan
        self.backEnd = backEnd
        setup = try SyncSetup(backEnd)
        try setup.register("accounts", [.fullText("Name")])
        try setup.register("contacts", [.string("AccountId"), .fullText("LastName")])
        expected = [
            "accounts": ["a changed", "c", "new 1", "new 2"],
            "contacts": plan.isTree ? ["ca changed", "new child 1", "new child a"] : ["ca", "cb"],
        ]
        let mock = setup.mock
        let accounts = try ["a", "b", "c"].map { try mock.create("Account", ["Name": .string($0)]) }
        let contacts = try [("ca", accounts[0]), ("cb", accounts[2])].map { name, account in
            try mock.create("Contact", ["LastName": .string(name), "AccountId": .string(account)])
        }
        var work = LocalWork(soup: "accounts", type: "Account", field: "Name")
        work.created = ["new 1", "new 2"]
        work.updated = [accounts[0]: "a changed"]
        work.deleted = [accounts[1]]
        var details = LocalWork(soup: "contacts", type: "Contact", field: "LastName")
        if plan.isTree {
            details.created = ["new child 1", "new child a"]
            details.updated = [contacts[0]: "ca changed"]
            details.deleted = [contacts[1]]
        }
        invariants = SyncInvariants(setup.store, mock, [work, details])
        let manager = try setup.manager(mock.transport)
        try await down(manager)
        await manager.close()
        mock.clock.now += 60_000
        try edit(accounts, contacts)
    }

    /// Brings what is new; rows that were changed here stay.
    func down(_ manager: SyncManager) async throws {
        let queries = [
            "accounts": "select Name, ExternalId__c from Account",
            "contacts": "select LastName, AccountId, ExternalId__c from Contact",
        ]
        let ids = invariants.serviceIds()
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
        invariants.noteDelivery(ids)
    }

    private func edit(_ accounts: [String], _ contacts: [String]) throws {
        let parents = LocalEdits(setup.store, soup: "accounts")
        let children = LocalEdits(setup.store, soup: "contacts")
        func entry(_ soup: String, _ id: String) throws -> Int64 {
            try setup.store.lookupEntryId(inSoup: soup, path: "Id", value: .text(id)) ?? 0
        }
        let attributes: JSONValue = ["type": "Account"]
        _ = try parents.update(entry("accounts", accounts[0]), changes: ["Name": "a changed"])
        try parents.delete(entry("accounts", accounts[1]))
        let first = try parents.create(["Name": "new 1", "attributes": attributes])
        _ = try parents.create(["Name": "new 2", "attributes": attributes])
        guard plan.isTree else { return }
        _ = try children.update(entry("contacts", contacts[0]), changes: ["LastName": "ca changed"])
        try children.delete(entry("contacts", contacts[1]))
        _ = try children.create(["LastName": "new child 1", "AccountId": first["Id"] ?? .null])
        _ = try children.create(["LastName": "new child a", "AccountId": .string(accounts[0])])
    }

    // MARK: - Running

    /// Sends to the service, and cuts one request. Returns what is sent with, and counts the requests.
    func transport(_ cut: Cut?) -> (transport: any Transport, requests: Counter) {
        let number = Counter()
        let (mock, store) = (mock, setup.store)
        let transport = FunctionTransport { request in
            let own = number.next()
            guard let cut, own == cut.request else {
                return try await mock.transport.send(request)
            }
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
        return (transport, number)
    }

    final class Counter: Sendable {
        private let value = Atomic(0)
        func next() -> Int { value.add(1, ordering: .relaxed).newValue }
        var count: Int { value.load(ordering: .relaxed) }
    }
}
