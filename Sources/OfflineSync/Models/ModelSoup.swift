import JSONText
import LocalChanges
import OfflineStore
import Soups

/// A soup of documents of the service, each a record whose id says what it describes.
struct ModelSoup: Sendable {
    let manager: SyncManager
    let soup: String

    private var store: SmartStore { manager.store }

    /// Finds a document, or asks for it.
    ///
    /// - Parameters:
    ///   - keys: The ids under which it may be stored, the usual one first.
    ///   - target: What brings it.
    func fetch<Model: Sendable>(
        _ keys: [String], target: JSONObject, mode: ModelMode,
        _ model: (JSONObject) throws(Fault) -> Model
    ) async throws -> FetchedModel<Model> {
        try await register()
        switch mode {
        case .cacheOnly:
            return FetchedModel(model: try await cached(keys).map(model), source: .cache, failure: nil)
        case .cacheFirst:
            if let row = try await cached(keys) {
                return FetchedModel(model: try model(row), source: .cache, failure: nil)
            }
            return try await fromServer(keys, target, model)
        case .serverFirst:
            do {
                return try await fromServer(keys, target, model)
            } catch let fault as Fault {
                guard let row = try await cached(keys) else { throw fault }
                return FetchedModel(model: try model(row), source: .cache, failure: fault)
            }
        }
    }

    /// Removes all documents.
    func clear() async throws {
        if try await store.readingToTheEnd({ try store.soupExists(soup) }) {
            try await store.clearSoup(soup)
        }
    }

    private func register() async throws {
        guard try await !store.readingToTheEnd({ try store.soupExists(soup) }) else { return }
        try await store.registerSoup(soup, indexSpecs: [.json1("Id")])
    }

    private func fromServer<Model: Sendable>(
        _ keys: [String], _ target: JSONObject, _ model: (JSONObject) throws(Fault) -> Model
    ) async throws -> FetchedModel<Model> {
        let state = try await manager.sync(.down, target: target, soup: soup)
        // The sync was only the way here: its row would be one more after each call.
        try await manager.deleteSync(.id(state.id))
        try state.requireDone()
        guard let row = try await cached(keys) else {
            throw Fault(.malformedAnswer, "the answer was not stored", context: [.soup(soup)])
        }
        return FetchedModel(model: try model(row), source: .server, failure: nil)
    }

    /// The document without the members of the store and of syncs.
    private func cached(_ keys: [String]) async throws -> JSONObject? {
        let found = try await store.lookUp(keys.map(SQLValue.text), path: "Id", in: soup, selecting: ["_soup"])
        guard let cells = found.first else { return nil }
        return try SoupRows.object(ofRow: cells).removing { ReservedField.isReserved($0) }
    }
}
