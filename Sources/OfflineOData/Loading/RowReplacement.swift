import JSONText
import Soups

/// Finds out by their texts whether an entity that arrived replaces a stored row as a whole, so that neither of them
/// has to be read.
final class RowReplacement {
    private let stored = JSONTape(options: .storedEntry)
    private let arrived = JSONTape(options: .storedEntry)

    /// The id of a stored row that the arrived row replaces as a whole; nil for one that has to be merged with it, for
    /// one that was changed here, and for one that may be the same. O(n) in the length of both texts.
    ///
    /// Such a row is clean and has the members of the arrived one in their order, those of its control information too,
    /// and no others but the fields of the store. Merging would take each value from the arrived one. A row of an app
    /// may have the same values in another spelling: then nothing is written, which only reading it shows.
    func id(of storedText: [UInt8], replacedBy arrivedText: [UInt8]) -> Int64? {
        storedText.withUnsafeBytes { storedText in
            arrivedText.withUnsafeBytes { arrivedText in
                guard (try? stored.read(storedText)) != nil, (try? arrived.read(arrivedText)) != nil else { return nil }
                return stored.withRoot { stored in arrived.withRoot { Self.id(of: stored, replacedBy: $0) } }
            }
        }
    }

    private static func id(of stored: JSONNode, replacedBy arrived: JSONNode) -> Int64? {
        var members = stored.members
        var isChanged = false
        for new in arrived.members {
            guard let old = members.next(), hasSameName(old, new) else { return nil }
            if new.name.hasPrefix("__local") {
                guard isSame(old.value, new.value) else { return nil }
            } else if new.name == "__odata__" {
                guard let differs = differs(old.value, new.value) else { return nil }
                isChanged = isChanged || differs
            } else {
                isChanged = isChanged || isSurelyOther(old.value, new.value)
            }
        }
        return isChanged ? id(inFields: members) : nil
    }

    /// The id among the fields of the store; nil if there are other members.
    private static func id(inFields members: JSONMembers) -> Int64? {
        var id: Int64?
        for field in members {
            guard field.name.hasPrefix("_soup") else { return nil }
            if field.name == "_soupEntryId" {
                id = field.value.int64
            }
        }
        return id
    }

    /// Whether control information surely has another value; nil if it has other members.
    private static func differs(_ old: JSONNode, _ new: JSONNode) -> Bool? {
        var known = old.members
        var isChanged = false
        for member in new.members {
            guard let other = known.next(), hasSameName(other, member) else { return nil }
            isChanged = isChanged || isSurelyOther(other.value, member.value)
        }
        return known.isEmpty ? isChanged : nil
    }

    private static func hasSameName(_ a: JSONMember, _ b: JSONMember) -> Bool {
        !a.name.isEscaped && !b.name.isEscaped && a.name.hasBytes(b.name.writtenBytes)
    }

    private static func isSame(_ a: JSONNode, _ b: JSONNode) -> Bool { a.rawText.elementsEqual(b.rawText) }

    /// Whether two values that are written in different ways cannot be the same.
    private static func isSurelyOther(_ a: JSONNode, _ b: JSONNode) -> Bool {
        guard a.kind == b.kind else { return true }
        switch a.kind {
        case .array, .object: return false
        case .string where a.stringText?.isEscaped == true || b.stringText?.isEscaped == true: return false
        default: return !isSame(a, b)
        }
    }
}
