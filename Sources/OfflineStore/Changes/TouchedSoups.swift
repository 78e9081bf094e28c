import Soups

/// What a read touched: the soups, and of each the entries if they were read by id.
struct TouchedSoups {
    /// Whether it is unknown what was touched, so that every change concerns it.
    private(set) var isEverything = false
    /// Nil means the whole soup.
    private(set) var soups: [ByteKey: Set<Int64>?] = [:]

    mutating func touch(_ soup: String) { soups[ByteKey(soup)] = .some(nil) }

    mutating func touch(_ ids: some Collection<Int64>, in soup: String) {
        let key = ByteKey(soup)
        switch soups[key] {
        case .some(nil): return
        case nil: soups[key] = .some(Set(ids))
        case .some(.some(let known)):
            let all = known.union(ids)
            // Deliveries with more ids than this name none of them, so the whole soup is as good.
            soups[key] = .some(all.count > ChangedIDs.limit ? nil : all)
        }
    }

    mutating func touchEverything() { isEverything = true }

    /// Whether a change concerns what was read.
    func isConcerned(by soup: ByteKey, _ kinds: StoreChange.Kinds, _ ids: ChangedIDs) -> Bool {
        if isEverything {
            return true
        }
        guard let touched = soups[soup] else { return false }
        guard let touched, kinds.isSubset(of: [.inserted, .updated, .removed]) else { return true }
        return ids.contains { touched.contains($0) }
    }
}

/// Notes what a read touches while it runs. Belongs to the thread that reads.
final class TouchRecorder {
    var touched = TouchedSoups()
}
