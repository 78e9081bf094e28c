import LocalChanges
import OfflineStore
import Soups

/// Forgets creations in doubt whose rows the app has removed.
struct OrphanedDoubts: Sendable {
    private let store: SmartStore
    private let soup: String

    init(_ store: SmartStore, soup: String) {
        self.store = store
        self.soup = soup
    }

    func forget(_ progress: UpProgress) async throws {
        let (store, soup) = (store, soup)
        guard try await store.readingToTheEnd({ try Outbox(store).hasOrphans(inSoup: soup) }) else { return }
        let forgotten = try await store.writingToTheEnd {
            try Outbox(store).removeOrphans(inSoup: soup)
        }
        for entryId in forgotten {
            progress.send(.doubtForgotten(soup: soup, entryId: entryId))
        }
    }
}
