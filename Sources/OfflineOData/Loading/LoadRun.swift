import JSONText
import LocalChanges
import OData
import OfflineStore
import ServiceTransport
import Soups
import Synchronization

/// One call of a load: asks for pages until the last one, and saves each in a transaction of its own.
final class LoadRun: Sendable {
    private let client: ODataClient
    private let set: MappedEntitySet
    private let query: LoadQuery
    private let shared: Mutex<Shared>

    private struct Shared {
        var state: LoadState
        var summary = LoadSummary()
        /// The newest link that waited for its entity when the run began.
        var newestLink: Int64 = 0
        /// The rows that wait for their entities to get the present keys; nil if no row did when the run began.
        var formerKeys: FormerKeys?
        /// What renews the keys of rows that are changed during a reload.
        var renewal: KeyRenewal?
        /// What the saved pages have left, which is read once and not for each page.
        var left: LeftMembers?
    }

    /// The greatest number of entities that one transaction applies.
    static let entitiesPerTransaction = 5_000
    private static let pageLimit = 1_000_000

    init(_ client: ODataClient, _ set: MappedEntitySet, _ state: LoadState) throws(Fault) {
        self.client = client
        self.set = set
        query = try LoadQuery(state.query, of: set, version: client.map.version, isStored: true)
        shared = Mutex(Shared(state: state))
    }

    private var state: LoadState {
        get { shared.withLock { $0.state } }
        set { shared.withLock { $0.state = newValue } }
    }

    /// Runs to the end, and notes how it ended.
    func run(isResumed: Bool) async throws -> LoadResult {
        do {
            try await readPages(isResumed: isResumed)
            return try await end(.done, nil)
        } catch is ServiceConnection.Stopped {
            return try await end(.stopped, nil)
        } catch is CancellationError {
            return try await end(.stopped, nil)
        } catch let fault as Fault {
            return try await end(.failed, fault)
        }
    }

    private func readPages(isResumed: Bool) async throws {
        let (newest, formerKeys, renewal) = try await client.store.readingToTheEnd { [client, set, state] in
            (
                try PendingLinks(client.store).newest(), try FormerKeys(client.store, set),
                state.mode == .reload ? try KeyRenewal(client, set) : nil
            )
        }
        shared.withLock {
            $0.newestLink = newest
            $0.formerKeys = formerKeys
            $0.renewal = renewal
        }
        var isFirst = isResumed
        var former: String?
        while !state.isRemoving {
            if Task.isCancelled {
                throw ServiceConnection.Stopped()
            }
            let link = state.nextLink ?? (state.isDelta ? state.deltaLink : nil)
            let asked = client.saved.ask(byLoadOf: set.name)
            guard let answer = try await answer(to: link, isFirst: isFirst) else {
                // The link is not known any more, and the run has begun again.
                isFirst = false
                former = nil
                continue
            }
            isFirst = false
            // The first page has the URL of its request for a link.
            let url =
                link ?? client.connection.root.url(path: answer.request.path, query: answer.request.encodedQuery)
            let isLast: Bool
            do {
                isLast = try await save(
                    answer.response, to: answer.request, link: url, former: former, asked: asked)
            } catch is OvertakenPage {
                // The service has other versions by now: the page is asked for again.
                continue
            }
            former = url
            if isLast {
                break
            }
        }
        // Keys are noted for pages that are still asked for.
        client.saved.endLoad(of: set.name)
        if !state.isDelta {
            try await removeUnmet()
        }
    }

    // MARK: - Requests

    private func answer(
        to link: String?, isFirst: Bool
    ) async throws -> (request: ServiceRequest, response: ServiceResponse)? {
        let request = try request(for: link)
        let response = try await client.connection.send(request)
        let isGone = response.status == 404 || response.status == 410
        guard isGone, link != nil else {
            if let fault = AnswerFault.fault(response, to: request) {
                throw fault
            }
            return (request, response)
        }
        let text = "\(request.method) \(request.path): the service answered with status \(response.status)"
        if state.isDelta, state.nextLink == nil {
            guard state.mode == .auto else {
                throw Fault(.deltaExpired, text + "; the link to changes has expired, load the set in full")
            }
            try await beginAgain(isDelta: false)
            return nil
        }
        guard isFirst else {
            throw Fault(.cursorExpired, text + "; the link to the next page has expired, resume the load")
        }
        try await beginAgain(isDelta: state.isDelta)
        return nil
    }

    private func request(for link: String?) throws(Fault) -> ServiceRequest {
        let preferences = client.loadPreferences
        guard let link else {
            return ServiceRequest(
                method: "GET", path: client.connection.root.path + PercentEncoding.encoded(set.name),
                encodedQuery: query.sent, headers: client.connection.readHeaders(preferences: preferences))
        }
        return try client.connection.read(link, preferences: preferences)
    }

    /// Begins at the first page, with a new generation for a full load.
    private func beginAgain(isDelta: Bool) async throws {
        let former = state
        var next = former
        next.isDelta = isDelta
        next.nextLink = nil
        next.isRemoving = false
        next.pages = 0
        next.entities = 0
        if !isDelta {
            next.generation += 1
        }
        let begun = next
        state = try await client.store.writingToTheEnd { [client] in
            var state = begun
            try LoadStates(client.store).requireUnchanged(since: former)
            try SeenKeys(client.store).removeKeys(of: state.set)
            try LoadStates(client.store).save(&state)
            return state
        }
    }

    // MARK: - Pages

    /// Saves a page, and returns whether it was the last one.
    ///
    /// - Parameter asked: What others had saved when the page was asked for.
    /// - Throws: `OvertakenPage` if they have saved an entity of the page since then.
    private func save(
        _ response: ServiceResponse, to request: ServiceRequest, link: String, former: String?, asked: Int64
    ) async throws -> Bool {
        let options = client.connection.payloadOptions(
            response, to: request, model: client.map.model, entityType: set.entityType)
        var page = LoadedPage(response, to: request, options: options)
        var reading = client.reading
        if !query.expansions.isEmpty {
            reading = try await FurtherPages(client).reading(response, request, options)
        }
        /// What the transactions so far have read of the page.
        var read = LoadSummary()
        var isChecked = false
        while true {
            let (current, known, check, before) = (page, reading, isChecked, read)
            let isAtEnd: Bool
            let saved: Saved
            do {
                (isAtEnd, saved) = try await client.store.writingToTheEnd { [self] in
                    try apply(current, known, before, link: link, former: former, isChecked: check, asked: asked)
                }
            } catch let overtaken as OvertakenPage {
                // All of the page is read again, and counts once.
                shared.withLock { $0.summary.subtractRead(before) }
                throw overtaken
            } catch let fault as Fault where fault.code == .malformedAnswer && !known.isFollowed && !check {
                // The service may expand what was not asked for. Nothing of the page is saved yet.
                reading = try await FurtherPages(client).reading(response, request, options)
                guard !reading.followed.isEmpty else {
                    throw fault
                }
                page = LoadedPage(response, to: request, options: options)
                continue
            }
            isChecked = true
            state = saved.state
            read.add(saved.summary)
            shared.withLock {
                $0.summary.add(saved.summary)
                $0.left = saved.left
                $0.renewal = saved.renewal
            }
            report(saved)
            if isAtEnd {
                return saved.state.nextLink == nil
            }
        }
    }

    private struct Saved: Sendable {
        var state: LoadState
        var summary: LoadSummary
        var conflicts: [Int64]
        var left: LeftMembers?
        var renewal: KeyRenewal?
    }

    /// Applies the next entities of a page; with the last of them also the link to the next page.
    ///
    /// - Parameter read: What was read of the page before.
    private func apply(
        _ page: LoadedPage, _ reading: EntityReading, _ read: LoadSummary, link: String, former: String?,
        isChecked: Bool, asked: Int64
    ) throws -> (isAtEnd: Bool, Saved) {
        var state = state
        try LoadStates(client.store).requireUnchanged(since: state)
        if let lost = try client.filled.lost(since: state, of: set, query.expansions) {
            throw Fault(
                .soupNotFound, "the soup was removed during the load; load the set again", context: [.soup(lost)])
        }
        let writer = PageWriter(client, set, query, state, newestLink: shared.withLock { $0.newestLink })
        var renewal: KeyRenewal?
        (writer.formerKeys, writer.left, renewal) = shared.withLock { ($0.formerKeys, $0.left, $0.renewal) }
        try writer.left?.forgetCleared()
        try writer.renewKeys(&renewal)
        writer.overtaken = client.saved.names(after: asked, forLoadOf: set.name)
        var application = PageApplication(writer: writer, reading: reading, after: page.count)
        var isAtEnd = false
        while application.count < Self.entitiesPerTransaction {
            guard let change = try page.next() else {
                isAtEnd = true
                break
            }
            try application.apply(change)
        }
        try application.finish()
        guard !writer.hasOvertaken else {
            throw OvertakenPage()
        }
        client.saved.note(writer.met, byLoadOf: set.name)
        if !isAtEnd, !isChecked {
            guard try !page.check() || reading.isFollowed else {
                throw EntityReading.unreadPage
            }
        }
        // A page counts with its last entity: one that is cut before is read again.
        let entities = state.entities + Int64(read.entities + writer.summary.entities)
        guard entities <= client.options.recordLimit else {
            throw Fault(.limitExceeded, "the load has more than \(client.options.recordLimit) entities")
        }
        if !state.isDelta {
            try SeenKeys(client.store).add(
                writer.keys, set: set.name, generation: state.generation, page: state.pages)
        }
        try writer.noteOtherKeys()
        try writer.left?.write()
        if isAtEnd {
            state.entities = entities
            try advance(&state, page, link: link, former: former)
            writer.summary.pages = 1
        }
        try LoadStates(client.store).save(&state)
        return (
            isAtEnd,
            Saved(
                state: state, summary: writer.summary, conflicts: writer.conflicts.map(\.entryId), left: writer.left,
                renewal: renewal)
        )
    }

    /// Takes the links of a page that was read to its end.
    private func advance(
        _ state: inout LoadState, _ page: LoadedPage, link: String, former: String?
    ) throws(Fault) {
        state.pages += 1
        guard state.pages <= Self.pageLimit else {
            throw Fault(.limitExceeded, "the load has more than \(Self.pageLimit) pages")
        }
        guard page.nextLink == nil || page.deltaLink == nil else {
            throw Fault(.malformedAnswer, "a page has a link to the next page and one to later changes")
        }
        for next in [page.nextLink, page.deltaLink].compactMap(\.self) {
            _ = try client.connection.root.target(of: next)
        }
        if let next = page.nextLink {
            guard next != link, next != former else {
                throw Fault(.malformedAnswer, "the link to the next page leads to a page that was just read")
            }
            state.nextLink = next
            return
        }
        state.nextLink = nil
        if page.deltaLink != nil || !state.isDelta {
            state.deltaLink = page.deltaLink
            state.deltaQuery = page.deltaLink == nil ? nil : state.query
        }
        state.isRemoving = !state.isDelta
    }

    // MARK: - The end

    /// Removes clean rows that no page has listed.
    private func removeUnmet() async throws {
        let removal = try await client.store.readingToTheEnd { [client, set, query, state] in
            try UnmetRowRemoval(client, set, query, state)
        }
        let renewal = shared.withLock { $0.renewal }
        var last: String?
        while true {
            let from = last
            let removed = try await client.store.writingToTheEnd { try removal.removeNext(after: from, renewal) }
            shared.withLock { $0.summary.add(removed.summary) }
            guard let next = removed.last else { break }
            last = next
            if Task.isCancelled {
                throw ServiceConnection.Stopped()
            }
        }
    }

    private func end(_ status: RunStatus, _ fault: Fault?) async throws -> LoadResult {
        let last = state
        var ended = last
        ended.status = status
        ended.error = fault?.messageWithFacts
        ended.errorCode = fault?.code.rawValue
        if status == .done {
            ended.isRemoving = false
            ended.nextLink = nil
        }
        let final = ended
        do {
            try await client.store.writingToTheEnd { [client, set] in
                var state = final
                do throws(Fault) {
                    try LoadStates(client.store).requireUnchanged(since: last)
                } catch {
                    // The state is that of another client's load, which this one does not end.
                    guard status == .done else { return }
                    throw error
                }
                if status == .done {
                    try SeenKeys(client.store).removeAll(of: set.name)
                    if state.mode == .reload || !state.isDelta {
                        try client.registry.acceptKeys(of: set)
                    }
                }
                try LoadStates(client.store).save(&state)
            }
        } catch {
            // A store that cannot be written is the fault of the run; the row says that it did not end.
            guard fault != nil else { throw error }
        }
        return LoadResult(
            status: status, fault: fault, summary: shared.withLock { $0.summary },
            hasDeltaLink: final.deltaLink != nil)
    }

    private func report(_ saved: Saved) {
        client.options.events?(
            .page(set: set.name, entities: saved.summary.entities, changed: saved.summary.changed))
        for entryId in saved.conflicts {
            client.options.events?(.conflict(set: set.name, entryId: entryId))
        }
    }
}
