import OfflineSync
import ServiceTransport
import Soups
import Synchronization

/// Takes an input as the answers of a service to the requests of a sync: whatever they are, the run ends with a fault or a
/// result, and no local change is lost.
///
/// The first byte chooses the sync. Answers are separated by the byte 1E; the first byte of each says how it comes: `2`
/// with status 200, `1` 201, `0` 400, `4` 404, `9` 401, `5` 500, `3` 503, `n` not at all, `s` the request was not sent.
enum SyncAnswersTarget {
    private static let store = FuzzStore()

    static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        let kind = FuzzSync.all[Int(first &- UInt8(ascii: "a")) % FuzzSync.all.count]
        let answers = input.dropFirst().split(separator: 0x1E, omittingEmptySubsequences: false).map { Array($0) }
        store.run(kind, answers)
    }
}

/// A sync whose answers are fuzzed.
struct FuzzSync: Sendable {
    let type: SyncType
    let target: JSONObject
    var mode = SyncMergeMode.leaveIfChanged

    private static let trees: JSONObject = [
        "parent": ["sobjectType": "Account", "soupName": "accounts"],
        "children": [
            "sobjectType": "Contact", "sobjectTypePlural": "Contacts", "soupName": "contacts",
            "parentIdFieldName": "AccountId",
        ], "relationshipType": "MASTER_DETAIL",
    ]

    private static let down: [JSONObject] = [
        ["type": "soql", "query": "select Name from Account"], ["type": "sosl", "query": "find {x}"],
        ["type": "mru", "sobjectType": "Account", "fieldlist": ["Name"]],
        ["type": "refresh", "soupName": "accounts", "sobjectType": "Account", "fieldlist": ["Name"]],
        ["type": "metadata", "sobjectType": "Account"], ["type": "layout", "sobjectType": "Account"],
        trees.merging(["type": "parent_children", "parentFieldlist": ["Name"], "childrenFieldlist": ["Name"]]),
    ]

    private static let up: [JSONObject] = [
        ["swiftImpl": "single"], ["swiftImpl": "composite"], ["swiftImpl": "collection"],
        trees.merging([
            "swiftImpl": "parent_children", "childrenCreateFieldlist": ["Name"], "childrenUpdateFieldlist": ["Name"],
        ]),
    ]

    /// `a` to `g` are the targets down, `h` to `k` those up, and `l` to `o` these with questions before.
    static let all: [FuzzSync] =
        down.map { FuzzSync(type: .down, target: $0) }
        + [SyncMergeMode.overwrite, .leaveIfChanged].flatMap { mode in
            up.map { target in
                let lists: JSONObject = ["createFieldlist": ["Name"], "updateFieldlist": ["Name"]]
                return FuzzSync(type: .up, target: target.merging(lists), mode: mode)
            }
        }
}

/// Answers with what it was given, request by request, and then not at all.
final class FuzzAnswers: Transport {
    private let state = Mutex((answers: [[UInt8]](), delivered: 0))

    /// How many answers have come.
    var delivered: Int { state.withLock { $0.delivered } }

    func set(_ answers: [[UInt8]]) { state.withLock { $0 = (answers, 0) } }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let answer = state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() }
        guard let answer, let kind = answer.first, kind != UInt8(ascii: "n") else {
            throw TransportFailure.noAnswer("no answer is left")
        }
        guard kind != UInt8(ascii: "s") else {
            throw TransportFailure.notSent("there is no connection")
        }
        state.withLock { $0.delivered += 1 }
        let statuses: [Character: Int] = ["1": 201, "0": 400, "4": 404, "9": 401, "5": 500, "3": 503]
        let status = statuses[Character(UnicodeScalar(kind))] ?? 200
        return ServiceResponse(status: status, body: Array(answer.dropFirst()))
    }
}
