import JSONText
import Soups

/// Finds out by their texts whether an entity that arrived replaces a stored row as a whole, so that neither of them
/// has to be read.
final class RowReplacement {
    private let stored = JSONTape(options: JSONOptions(maximumDepth: RowReplacement.maximumDepth))
    private let arrived = JSONTape(options: JSONOptions(maximumDepth: RowReplacement.maximumDepth))

    private static let maximumDepth = 1024

    /// The id of a stored row that the arrived row replaces as a whole; nil for one that has to be merged with it, and
    /// for one that was changed here. O(n) in the length of both texts.
    ///
    /// Such a row is clean and has the members of the arrived one in their order, those of its control information too,
    /// and no others but the fields of the store. Merging would take each value from the arrived one.
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
        for new in arrived.members {
            guard let old = members.next(), isReplaced(old, by: new) else { return nil }
        }
        var id: Int64?
        while let field = members.next() {
            guard field.name.hasPrefix("_soup") else { return nil }
            if field.name == "_soupEntryId" {
                id = field.value.int64
            }
        }
        return id
    }

    private static func isReplaced(_ old: JSONMember, by new: JSONMember) -> Bool {
        guard hasSameName(old, new) else { return false }
        if new.name.hasPrefix("__local") {
            return old.value.rawText.elementsEqual(new.value.rawText)
        }
        guard new.name == "__odata__" else { return true }
        var known = old.value.members
        for member in new.value.members {
            guard let other = known.next(), hasSameName(other, member) else { return false }
        }
        return known.isEmpty
    }

    private static func hasSameName(_ a: JSONMember, _ b: JSONMember) -> Bool {
        !a.name.isEscaped && !b.name.isEscaped && a.name.hasBytes(b.name.writtenBytes)
    }
}
