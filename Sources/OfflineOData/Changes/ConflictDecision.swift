import JSONText
import LocalChanges
import Soups

/// What becomes of a row with local changes whose entity the service has in another version.
struct ConflictDecision {
    /// The outcome of a rule.
    enum Outcome {
        /// Both versions are kept.
        case keep
        /// The row becomes the version of the service, and is clean.
        case theirs
        /// The row gets these properties and stays to be sent; the version of the service is its new base.
        case joined(JSONObject)
        /// The row stays to be deleted; the version of the service is its new base.
        case deleteAgain
        /// The row is created on the service again, with these properties.
        case createAgain(JSONObject)
        /// The row is removed.
        case remove
    }

    let changed: ChangedRow
    let kind: Conflict.Kind
    /// The properties of the entity on the service; nil if it is gone.
    let theirs: JSONObject?

    /// What becomes of the row by a rule.
    func outcome(_ rule: ConflictRule) -> Outcome {
        switch rule {
        case .keep: .keep
        case .theirs: kind == .deletedThere ? .remove : .theirs
        case .mine: mine
        case .merge: merged
        }
    }

    /// What a decision makes of it.
    func outcome(_ resolution: Conflict.Resolution) -> Outcome {
        switch resolution {
        case .keep: .keep
        case .mine: mine
        case .theirs: kind == .deletedThere ? .remove : .theirs
        case .merged(let properties): outcome(merged: properties)
        }
    }

    private func outcome(merged given: JSONObject) -> Outcome {
        // A callback may give what only rows have, or another key.
        let properties = given.removing {
            RowMember.isForbidden($0) || ReservedField.isReserved($0) || changed.set.isKey($0)
        }
        guard kind != .deletedThere else {
            // There is no version of the service to put the properties into.
            return .createAgain(changed.mine.merging(properties))
        }
        return .joined((theirs ?? changed.mine).merging(properties))
    }

    private var mine: Outcome {
        switch kind {
        case .deletedThere: return changed.flags.isDeleted ? .remove : .createAgain(changed.mine)
        case .changedThere, .existsThere:
            if changed.flags.isDeleted {
                return .deleteAgain
            }
            return .joined(changed.mineOver(theirs ?? JSONObject()))
        }
    }

    private var merged: Outcome {
        guard kind == .changedThere, !changed.flags.isDeleted, let theirs, changed.conflicts(with: theirs).isEmpty
        else { return .keep }
        return .joined(changed.mineOver(theirs))
    }
}
