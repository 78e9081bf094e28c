import OfflineStore
import Soups

/// The soups that loads fill: that of the set, and those of expanded sets.
///
/// A soup that was removed and registered again is empty, and changes since the last load would not bring back its
/// rows. The number of a soup tells it from a former one of its name.
struct FilledSoups {
    let store: SmartStore
    let map: EntitySetMap

    /// So many sets are looked at. Expansions of all navigation properties over several levels may lead to more: then
    /// all sets count.
    private static let visitLimit = 1_000

    /// The numbers of the soups of all mapped sets, 0 for one that does not exist.
    func numbers() throws(Fault) -> [ByteKey: Int64] {
        var numbers: [ByteKey: Int64] = [:]
        for set in map.sets {
            numbers[ByteKey(set.soup)] = try store.soupId(set.soup) ?? 0
        }
        return numbers
    }

    /// A soup that a load has filled and that is not there any more, though another one may have its name; nil without
    /// any.
    ///
    /// - Parameter expansions: Those of the load; nil if they are not known.
    func lost(
        since state: LoadState, of set: MappedEntitySet, _ expansions: LoadExpansions?
    ) throws(Fault) -> String? {
        guard let numbers = state.soupIds else { return nil }
        for filled in sets(of: set, expansions) {
            let present = try store.soupId(filled.soup) ?? 0
            if present != numbers[ByteKey(filled.soup)] ?? 0 {
                return filled.soup
            }
        }
        return nil
    }

    private func sets(of set: MappedEntitySet, _ expansions: LoadExpansions?) -> [MappedEntitySet] {
        guard let expansions else { return map.sets }
        var found: [MappedEntitySet] = []
        var open = [(set: set, expansions: expansions)]
        while let next = open.popLast() {
            guard found.count < Self.visitLimit else { return map.sets }
            found.append(next.set)
            for reference in map.references(ofDependent: next.set.name) {
                if let name = reference.navigation, let expansion = next.expansions[name],
                    let principal = map.find(reference.principal)
                {
                    open.append((principal, expansion.below))
                }
            }
            for reference in map.references(toPrincipal: next.set.name) {
                if let name = reference.inverse, let expansion = next.expansions[name],
                    let dependent = map.find(reference.dependent)
                {
                    open.append((dependent, expansion.below))
                }
            }
        }
        return found
    }
}
