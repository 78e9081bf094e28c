import JSONText
import OfflineStore
import Soups

/// The numbers of the soups that runs work with. They tell a soup from a former one of its name.
extension SyncState {
    /// Its own soup, those of the parts of trees, and the one whose records are refreshed. A sync of trees keeps the
    /// name of a soup of its own and does not use it: nil is in its place.
    private var usedSoups: [String?] {
        let isOfTrees = ["type", "swiftImpl"].contains { target[$0]?.string == "parent_children" }
        let refreshed = target["type"]?.string == "refresh" ? target : nil
        let parts = [target["parent"]?.object, target["children"]?.object, refreshed]
        return [isOfTrees ? nil : soupName] + parts.compactMap { $0?["soupName"]?.string }
    }

    /// The number of a soup when the last run began; nil if it did not exist then.
    func soupId(of name: String) -> Int64? {
        let key = ByteKey(name)
        let known = zip(usedSoups, soupIds ?? []).first { used, _ in used.map { ByteKey($0) } == key }
        return known.flatMap { $0.1 == 0 ? nil : $0.1 }
    }

    /// Notes the soups of a run that begins. Where one was removed and registered again since the last run, its records
    /// are gone, and the run asks for all of them.
    mutating func noteSoups(of store: SmartStore) throws(Fault) {
        if try firstReplaced(store) != nil {
            maxTimeStamp = -1
            leftBound = nil
        }
        var ids: [Int64] = []
        for name in usedSoups {
            guard let name else {
                ids.append(0)
                continue
            }
            ids.append(try store.soupId(name) ?? 0)
        }
        soupIds = ids
    }

    /// Requires the soups with which the run began.
    ///
    /// - Throws: `soupNotFound` if one of them was removed since, also if there is another one of its name.
    func requireSameSoups(_ store: SmartStore) throws(Fault) {
        if let name = try firstReplaced(store) {
            throw SoupCheck.replaced(name)
        }
    }

    /// A soup that is not the one of its name that the last run had; nil without any. One that did not exist then, and
    /// which a target of the app may have registered since, is not replaced.
    func firstReplaced(_ store: SmartStore) throws(Fault) -> String? {
        guard let soupIds else { return nil }
        for (used, id) in zip(usedSoups, soupIds) where id != 0 {
            if let name = used, try store.soupId(name) != id {
                return name
            }
        }
        return nil
    }
}
