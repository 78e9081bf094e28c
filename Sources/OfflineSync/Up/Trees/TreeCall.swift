import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Makes up the next call of a tree: reads its rows as they are now, and notes creations. Inside one transaction.
struct TreeCallPreparation: Sendable {
    let trees: TreeParts
    let parentEntryId: Int64
    /// The parent as it was when the tree was read: the service still has it if the app has removed its row since.
    let formerParent: RowText
    /// Whether children keep the field with the parent's id to themselves, because the parent goes.
    let isParentLeaving: Bool
    let parent: BatchPreparation
    let children: BatchPreparation
    private var store: SmartStore { parent.store }

    /// A call that is ready.
    struct Call: Sendable {
        var records: [(record: PendingRecord, isParent: Bool)] = []
        /// How many rows were looked at.
        var taken = 0
        /// The rows that are held.
        var held: [Int64] = []
        var effects = UpEffects()
        /// The id of the parent's row, which is read once; nil if it has none.
        fileprivate var parent: RecordId?
        fileprivate var knowsParent = false

        /// Whether children refer to a parent that the call creates.
        var createsParent: Bool { records.first.map { $0.isParent && $0.record.operation == .create } ?? false }
    }

    /// Makes up a call of the first rows of some. A child with the id of another one of the call waits for the next
    /// call.
    ///
    /// - Parameters:
    ///   - unasked: The children that are asked about just before a call of which they are the first.
    ///   - parentId: The id of the parent that a call before has created.
    func next(
        _ members: ArraySlice<TreeMember>, unasked: Set<Int64>, parentId: String? = nil
    ) throws(Fault) -> Call {
        try trees.requirePresent(in: store)
        var call = Call()
        var bytes = 0
        var ids: Set<RecordId> = []
        for member in members {
            guard call.records.count < CompositeCall.greatestCount else { break }
            guard call.taken == 0 || member.isParent || !unasked.contains(member.entryId) else { break }
            if let record = try record(member, parentId, &call) {
                guard
                    call.records.isEmpty
                        || bytes + record.weight <= BatchPreparation.greatestBody && !record.namesReference
                else { break }
                if !member.isParent, let id = record.recordId {
                    guard ids.insert(id).inserted else { break }
                }
                bytes += record.weight
                call.records.append((record, member.isParent))
            }
            call.taken += 1
        }
        try note(&call, parentId)
        return call
    }

    /// The record of a row; nil if nothing is sent of it.
    private func record(
        _ member: TreeMember, _ parentId: String?, _ call: inout Call
    ) throws(Fault) -> PendingRecord? {
        let preparation = member.isParent ? parent : children
        let part = preparation.part
        guard let bytes = try store.retrieve(id: member.entryId, from: part.soup) else { return nil }
        var text = try RowText(bytes)
        guard !(try isHeld(&text, member, preparation, &call)) else { return nil }
        if !member.isParent, text.flags.operation != .delete, try isElsewhere(text, parentId, &call) {
            return nil
        }
        if member.isRecreation {
            guard text.flags.operation != .delete else { return nil }
            let isNew = text.flags.isCreated
            let record = try preparation.withKey(part.creation(of: text, isRecreation: !isNew))
            if let error = part.obstacle(to: record) {
                try refuse(record.text, member.entryId, error, part, &call)
                return nil
            }
            return record
        }
        switch try part.task(of: text) {
        case .clean:
            guard member.isMoved, let id = text.serviceId(part.idField) else { return nil }
            return try part.record(.update, text, id)
        case .nothing(let error):
            try refuse(text, member.entryId, error, part, &call)
            return nil
        case .removal:
            // The parent's own removal is decided before.
            guard !member.isParent else { return nil }
            try store.remove(ids: [member.entryId], from: part.soup)
            try Originals(store, soup: part.soup).remove([member.entryId])
            call.effects.summary.removed += 1
            return nil
        case .record(let record):
            return record.operation == .create ? try preparation.withKey(record) : record
        }
    }

    /// Whether a child has got another parent since the tree was read: it goes with the tree of that one, in the next
    /// run.
    ///
    /// - Parameter createdId: The id of the parent that a call before has created.
    private func isElsewhere(_ text: RowText, _ createdId: String?, _ call: inout Call) throws(Fault) -> Bool {
        let named = text.recordId(at: trees.parentIdField)
        if let createdId, Self.isSame(named, RecordId(createdId)) {
            return false
        }
        if !call.knowsParent {
            call.knowsParent = true
            call.parent = trees.parent.rowId(try parentText())
        }
        guard let parent = call.parent else { return false }
        return !Self.isSame(named, parent)
    }

    /// The parent as it is now, or as it was before the app removed its row.
    private func parentText() throws(Fault) -> RowText {
        try trees.text(parentEntryId, isParent: true, store) ?? formerParent
    }

    /// Whether an index finds one id by the other: a number has several spellings.
    private static func isSame(_ a: RecordId?, _ b: RecordId) -> Bool {
        guard let a else { return false }
        return a == b || !Set(a.forms).isDisjoint(with: b.forms)
    }

    private func isHeld(
        _ text: inout RowText, _ member: TreeMember, _ preparation: BatchPreparation, _ call: inout Call
    ) throws(Fault) -> Bool {
        let soup = preparation.part.soup
        // Also a clean row is noted, if it is in doubt whether it was created again.
        guard try !Outbox(store).noted(soup: soup, among: [member.entryId]).isEmpty else { return false }
        guard preparation.holdsDoubts else {
            text = try forget(text, member.entryId, soup)
            return false
        }
        call.held.append(member.entryId)
        try hold(text, member.entryId, soup, &call.effects)
        return true
    }

    /// Holds a row whose creation is in doubt.
    func hold(_ text: RowText, _ entryId: Int64, _ soup: String, _ effects: inout UpEffects) throws(Fault) {
        effects.summary.held += 1
        effects.events.append(.recordHeld(soup: soup, entryId: entryId))
        try write(LocalError.inDoubt, into: text, soup)
    }

    /// Forgets the note of a row, and the error that says that it is held. Returns the row as it is then.
    func forget(_ text: RowText, _ entryId: Int64, _ soup: String) throws(Fault) -> RowText {
        try Outbox(store).remove(soup: soup, entryIds: [entryId])
        let held = JSONValue.string(JSONValue.object(LocalError.inDoubt.json).text()).bytes()
        guard text[ReservedField.lastError].map({ $0.elementsEqual(held) }) ?? false else { return text }
        let stored = try store.upsert([text.replacing([(ReservedField.lastError, nil)])], into: soup)
        return try RowText(stored.first ?? [])
    }

    /// Gives a row an error of our own.
    func refuse(
        _ text: RowText, _ entryId: Int64, _ error: LocalError, _ part: UpPart, _ call: inout Call
    ) throws(Fault) {
        call.effects.summary.refused += 1
        call.effects.events.append(.recordRefused(soup: part.soup, entryId: entryId, code: error.code))
        try write(error, into: text, part.soup)
    }

    private func write(_ error: LocalError, into text: RowText, _ soup: String) throws(Fault) {
        let value = JSONValue.string(JSONValue.object(error.json).text()).bytes()
        guard text[ReservedField.lastError].map({ !$0.elementsEqual(value) }) ?? true else { return }
        try store.upsertIds([text.replacing([(ReservedField.lastError, value)])], into: soup)
    }

    /// Gives each child the id of its parent, or a reference to it, and then notes creations as they are sent.
    private func note(_ call: inout Call, _ createdId: String?) throws(Fault) {
        try addParentId(&call, createdId)
        for isParent in [true, false] {
            let indices = call.records.indices.filter { call.records[$0].isParent == isParent }
            var records = indices.map { call.records[$0].record }
            try (isParent ? parent : children).note(&records)
            for (index, record) in zip(indices, records) {
                call.records[index].record = record
            }
        }
    }

    private func addParentId(_ call: inout Call, _ createdId: String?) throws(Fault) {
        guard !isParentLeaving, let id = try parentId(call, createdId) else { return }
        let member = JSONValue.string(trees.parentIdField).bytes() + [UInt8(ascii: ":")] + id
        for index in call.records.indices where !call.records[index].isParent {
            call.records[index].record.add(member)
        }
    }

    /// The id of the parent as it is sent; nil if it has none and gets none.
    private func parentId(_ call: Call, _ createdId: String?) throws(Fault) -> [UInt8]? {
        if let id = call.createsParent ? CompositeCall.firstId : createdId {
            return JSONValue.string(id).bytes()
        }
        return trees.parent.serviceIdText(try parentText())
    }
}

extension PendingRecord {
    /// Appends another member to the fields to send.
    mutating func add(_ member: [UInt8]) {
        guard operation != .delete else { return }
        let hasFields = body.count > 2
        body.removeLast()
        body += (hasFields ? [UInt8(ascii: ",")] : []) + member + [UInt8(ascii: "}")]
    }
}
