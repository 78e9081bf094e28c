import OfflineStore
import Soups

extension RegisteredSoup {
    /// Whether Smart SQL can name the soup. Stores that others have written may have soups that it cannot name: these
    /// are read by their ids.
    var canBeNamed: Bool { (try? SmartStore.check(soupName: name)) != nil }
}
