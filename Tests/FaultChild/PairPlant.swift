import OfflineStore
import Platform
import Soups

/// A fault that is planted into a trial of two processes, to see that it is found.
enum PairPlant: String, CaseIterable {
    /// A commit without a number; a file that belongs to nothing; a consumer that hears nothing of the other process; a
    /// commit that is in no log.
    case lostEntry, strayFile, deafConsumer, commitWithoutLog

    /// Plants what is planted when nothing else is written any more.
    func atTheEnd(_ store: SmartStore, _ folder: String) throws {
        switch self {
        case .lostEntry: try store.remove(matching: .all(), from: "s")
        case .strayFile: try File.create(PairFiles.store(folder) + ".rekeyed")
        case .commitWithoutLog:
            let seed = try PairFiles.seed(folder)
            for _ in 0..<10 {
                _ = try WritersModel(seed: seed).commit(store, writer: 1)
            }
        case .deafConsumer: break
        }
    }
}
