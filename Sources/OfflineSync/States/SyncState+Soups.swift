import JSONText
import OfflineStore
import Soups

/// The numbers of the soups that runs work with. They tell a soup from a former one of its name.
extension SyncState {
    /// Its own soup, those of the parts of trees, and the one whose records are refreshed.
    private var usedSoups: [String] {
        let refreshed = target["type"]?.string == "refresh" ? target : nil
        let parts = [target["parent"]?.object, target["children"]?.object, refreshed]
        return [soupName] + parts.compactMap { $0?["soupName"]?.string }
    }

    /// The number of a soup when the last run began; nil if it did not exist then.
    func soupId(of name: String) -> Int64? {
        let key = ByteKey(name)
        let known = zip(usedSoups, soupIds ?? []).first { ByteKey($0.0) == key }
        return known.flatMap { $0.1 == 0 ? nil : $0.1 }
    }

    /// Notes the soups of a run that begins. Where one was removed and registered again since the last run, its records
    /// are gone, and the run asks for all of them.
    mutating func noteSoups(of store: SmartStore) throws(Fault) {
        if try firstReplaced(store) != nil {
            maxTimeStamp = -1
            leftBound = nil
        }
        soupIds = try usedSoups.map { name throws(Fault) in try store.soupId(name) ?? 0 }
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
        for (name, id) in zip(usedSoups, soupIds) where id != 0 {
            if try store.soupId(name) != id {
                return name
            }
        }
        return nil
    }
}
