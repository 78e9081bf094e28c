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
            return try await served(fromServer(keys, target), keys, model)
        case .serverFirst:
            let answer: Answer
            do {
                answer = try await fromServer(keys, target)
            } catch let fault as Fault {
                guard let row = try await cached(keys) else { throw fault }
                return FetchedModel(model: try model(row), source: .cache, failure: fault)
            }
            return try await served(answer, keys, model)
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

    /// A document that the service has given, and the row that it has replaced.
    private struct Answer {
        let document: JSONObject
        let former: JSONObject?
    }

    private func fromServer(_ keys: [String], _ target: JSONObject) async throws -> Answer {
        let former = try await stored(keys)
        let state = try await manager.sync(.down, target: target, soup: soup)
        // The sync was only the way here: its row would be one more after each call.
        try await manager.deleteSync(.id(state.id))
        try state.requireDone()
        guard let document = try await cached(keys) else {
            throw Fault(.malformedAnswer, "the answer was not stored", context: [.soup(soup)])
        }
        return Answer(document: document, former: former)
    }

    /// The model of an answer. One that has none leaves the cache as it was, so that this can still answer.
    private func served<Model: Sendable>(
        _ answer: Answer, _ keys: [String], _ model: (JSONObject) throws(Fault) -> Model
    ) async throws -> FetchedModel<Model> {
        do throws(Fault) {
            return FetchedModel(model: try model(answer.document), source: .server, failure: nil)
        } catch {
            try await replace(keys, by: answer.former)
            throw error
        }
    }

    private func replace(_ keys: [String], by former: JSONObject?) async throws {
        try await store.writingToTheEnd {
            try store.remove(ids: rows(keys).compactMap(\.entryId), from: soup)
            if let former {
                let row = former.removing { $0.utf8.starts(with: "_soup".utf8) }
                try store.upsertIds([JSONValue.object(row).bytes()], into: soup)
            }
        }
    }

    /// The document without the members of the store and of syncs.
    private func cached(_ keys: [String]) async throws -> JSONObject? {
        try await stored(keys)?.removing { ReservedField.isReserved($0) }
    }

    private func stored(_ keys: [String]) async throws -> JSONObject? {
        try await store.readingToTheEnd { try rows(keys).first }
    }

    /// The rows of the documents, that of the first key first.
    private func rows(_ keys: [String]) throws(Fault) -> [JSONObject] {
        let found = try store.lookUp(keys.map(SQLValue.text), path: "Id", in: soup, selecting: ["_soup"])
        var rows: [JSONObject] = []
        for cells in found {
            rows.append(try SoupRows.object(ofRow: cells))
        }
        return rows
    }
}
