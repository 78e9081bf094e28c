import OData
import ServiceTransport
import Soups

/// Reads the further pages of expanded entities, before the page that they belong to is saved.
struct FurtherPages {
    private let client: ODataClient
    private var found: [LoadedPage.FurtherPage] = []
    /// The bytes of the page and of all further ones.
    private var bytes = 0

    init(_ client: ODataClient) { self.client = client }

    /// What reads the entities of a page, with the entities of all further pages of its expansions.
    ///
    /// - Throws: `limitExceeded` if the pages together are longer than an answer may be, `malformedAnswer` if they lead
    ///   back to one of them; what the requests throw.
    func reading(
        _ response: ServiceResponse, _ request: ServiceRequest, _ options: PayloadOptions
    ) async throws -> EntityReading {
        var pages = self
        var reading = client.reading
        reading.isFollowed = true
        pages.bytes = response.body.count
        let page = LoadedPage(response, to: request, options: options)
        while let change = try page.next() {
            _ = pages.entry(of: change, options.entityType)
        }
        var index = 0
        while index < pages.found.count {
            let start = pages.found[index]
            index += 1
            if reading.followed[start.link] == nil {
                reading.followed[start.link] = try await pages.entries(from: start)
            }
        }
        return reading
    }

    /// The entities of a further page and of those after it.
    private mutating func entries(from start: LoadedPage.FurtherPage) async throws -> [ODataEntry] {
        var entries: [ODataEntry] = []
        var next: String? = start.link
        var visited: Set<String> = []
        while let link = next {
            guard visited.insert(link).inserted else {
                throw Fault(.malformedAnswer, "the further pages of an expansion lead back to one of them")
            }
            let request = try client.connection.read(link)
            let response = try await client.connection.send(request)
            if let fault = AnswerFault.fault(response, to: request) {
                throw fault
            }
            bytes += response.body.count
            guard bytes <= client.options.answerLimit else {
                throw Fault(.limitExceeded, "a page with its expansions is longer than the limit of an answer")
            }
            let options = client.connection.payloadOptions(
                response, to: request, model: client.map.model, entityType: start.entityType)
            let page = LoadedPage(response, to: request, options: options)
            while let change = try page.next() {
                if let entry = entry(of: change, start.entityType) {
                    entries.append(entry)
                }
            }
            next = page.nextLink
        }
        return entries
    }

    /// The entity of a change. Notes the further pages of its expansions, whose entities have the types of the model.
    ///
    /// - Parameter given: The type of the entities of the page. A delta may have entities of other sets.
    private mutating func entry(of change: ODataFeed.Change, _ given: String?) -> ODataEntry? {
        guard case .entry(let entry) = change else { return nil }
        let other = ODataFeed().entitySet(of: change).flatMap { client.map.find($0) }
        found += LoadedPage.furtherPages(of: entry, type: other?.entityType ?? given, in: client.map.model)
        return entry
    }
}
