import OData
import ServiceTransport
import Soups

/// The body of one answer of a load, read while its entities are applied.
///
/// `@unchecked Sendable`: the transactions of a page come one after the other, and only they use it.
final class LoadedPage: @unchecked Sendable {
    private let request: ServiceRequest
    private let bytes: [UInt8]
    private let options: PayloadOptions
    /// The ETag of the answer, which is that of its one entity.
    private let etag: String?
    private var reader: ODataPayloadReader
    private var offset = 0
    private var isFinished = false
    /// The number of entities and links that were read.
    private(set) var count = 0
    /// The end of the body, once it was read.
    private(set) var end: ODataPayload?

    /// - Parameter response: An answer with a status of success.
    init(_ response: ServiceResponse, to request: ServiceRequest, options: PayloadOptions) {
        self.request = request
        self.options = options
        etag = response.header("ETag")
        bytes = response.status == 204 ? [] : response.body
        reader = ODataPayloadReader(options: options)
        if response.status == 204 {
            end = .feed(ODataFeed())
        }
    }

    /// The next entity or link of the feed; nil at the end of the body.
    func next() throws(Fault) -> ODataFeed.Change? {
        let change = try read()
        count += change == nil ? 0 : 1
        return change
    }

    private func read() throws(Fault) -> ODataFeed.Change? {
        guard end == nil else { return nil }
        do throws(Fault) {
            while true {
                switch try reader.next() {
                case .entry(let entry): return .entry(entry)
                case .link(let link): return .link(link)
                case .needsInput: try feed()
                case .end(let payload):
                    end = payload
                    return try single(payload)
                }
            }
        } catch {
            throw AnswerFault.reading(error, request)
        }
    }

    private func feed() throws(Fault) {
        if offset < bytes.count {
            let next = min(bytes.count, offset + 256 << 10)
            try bytes[offset..<next].withUnsafeBufferPointer { (buffer) throws(Fault) in
                try reader.append(UnsafeRawBufferPointer(buffer))
            }
            offset = next
            return
        }
        guard !isFinished else {
            throw Fault(.truncated, "unexpected end of the body", offset: bytes.count)
        }
        isFinished = true
        try reader.finish()
    }

    /// The entity of a body that is not a feed.
    private func single(_ payload: ODataPayload) throws(Fault) -> ODataFeed.Change? {
        switch payload {
        case .feed: return nil
        case .entry(var entry):
            if entry.etag == nil, let etag, !etag.isEmpty {
                entry.etag = etag
            }
            return .entry(entry)
        case .error:
            throw Fault(.refused, "the service answered with an error in place of entities")
        default:
            throw Fault(.malformedAnswer, "the answer has no entities")
        }
    }

    /// Reads the body to its end without applying it, so that nothing is saved of one that is cut or damaged.
    ///
    /// - Returns: Whether an expansion has a further page.
    func check() throws(Fault) -> Bool {
        let copy = LoadedPage(ServiceResponse(status: 200, body: bytes), to: request, options: options)
        var hasFurtherPages = false
        while let change = try copy.next() {
            if case .entry(let entry) = change, !hasFurtherPages {
                hasFurtherPages = !Self.furtherPages(of: entry).isEmpty
            }
        }
        return hasFurtherPages
    }

    /// The link to the next page, absolute.
    var nextLink: String? { feedAtEnd?.nextLink?.resolved }
    /// The link to later changes, absolute.
    var deltaLink: String? { feedAtEnd?.deltaLink?.resolved }
    /// Whether the payload says that it has changes.
    var isDelta: Bool { feedAtEnd?.isDelta ?? false }

    private var feedAtEnd: ODataFeed? {
        if case .feed(let feed)? = end {
            return feed
        }
        return nil
    }

    /// A further page of the entities that a navigation property leads to.
    struct FurtherPage: Sendable {
        /// The link to the page, absolute.
        let link: String
        /// The type that the model declares for its entities; nil if that is not known.
        let entityType: String?
    }

    /// The further pages of expanded entities, in the order of the body.
    ///
    /// - Parameter type: The type of the entity, unless the entity states another one.
    static func furtherPages(
        of entry: ODataEntry, type: String? = nil, in model: EdmModel? = nil, depth: Int = 0
    ) -> [FurtherPage] {
        guard depth < 8 else {
            return []
        }
        let stated = entry.type.map { model?.resolve($0) ?? $0 }
        let owner = stated ?? type
        return entry.navigation.flatMap { furtherPages(of: $0, owner: owner, in: model, depth: depth) }
    }

    /// The further pages of the entities that one navigation property leads to.
    ///
    /// - Parameter owner: The type of the entity that has the property.
    static func furtherPages(
        of navigation: ODataEntry.Navigation, owner: String? = nil, in model: EdmModel? = nil, depth: Int = 0
    ) -> [FurtherPage] {
        let related = owner.flatMap { model?.navigation(navigation.name, of: $0)?.type.name }
        switch navigation.content {
        case .null: return []
        case .entry(let inner): return furtherPages(of: inner, type: related, in: model, depth: depth + 1)
        case .feed(let feed):
            let next = feed.nextLink.map { [FurtherPage(link: $0.resolved, entityType: related)] } ?? []
            return next + feed.entries.flatMap { furtherPages(of: $0, type: related, in: model, depth: depth + 1) }
        }
    }
}
