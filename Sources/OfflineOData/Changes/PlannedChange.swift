import JSONText
import LocalChanges
import OData
import Soups

/// One request that a push will send.
struct PlannedChange: Sendable {
    let set: MappedEntitySet
    let entryId: Int64
    let operation: ChangeOperation
    /// The key text of the row; a local id for a new entity without a key.
    let key: String
    /// The positions in the plan of the inserts that must be done before, by the foreign key that names them.
    var principals: [(reference: EntityReference, position: Int)] = []
    /// The positions in the plan of the inserts whose entities an update names by keys that the client gives.
    var namedInserts: [Int] = []
    /// The foreign keys that the insert leaves out, because they name an entity that is inserted later.
    var leftOut: [EntityReference] = []
    /// Whether this update sets a foreign key that the insert of the same row has left out.
    var isCompletion = false
    /// The entity that the row is paired with by other properties than the key (`mergesBy`), as a clean row: the
    /// request is for its key and its ETag. Nil for a row that goes by its own key.
    var partner: JSONObject?
    /// The number of the soup whose row was paired or compared with an entity of the service; nil if the row alone says
    /// what is sent.
    var soupId: Int64?
    /// Whether the row stays, because other deletes of it are not done.
    var keepsRow = false

    /// The positions in the plan of all inserts that must be done before.
    var needed: [Int] { principals.map(\.position) + namedInserts }

    var isInsert: Bool { operation == .insert }
    var isDelete: Bool { operation == .delete }

    /// Whether the change can refer to inserts of its own change set by their Content-IDs: each by a link, or the first
    /// by the URL of the collection to which it is added. Otherwise its foreign key would not be sent.
    var canReferToItsChangeSet: Bool {
        principals.enumerated().allSatisfy { index, principal in
            let reference = principal.reference
            return reference.navigation != nil || index == 0 && reference.isCollection && reference.inverse != nil
        }
    }
}

/// The changes of a push in the order in which they are sent.
struct ChangePlan: Sendable {
    var changes: [PlannedChange] = []
    /// Rows without a request: created and deleted again, or changed back to what they were.
    var settled: [(set: MappedEntitySet, entryId: Int64)] = []
    /// Rows that wait for a decision about an insert whose answer was lost.
    var held: [(set: MappedEntitySet, entryId: Int64)] = []
    /// Rows whose entities have keys that are not known.
    var unknown: [(set: MappedEntitySet, entryId: Int64)] = []
}
