import JSONText
import ServiceTransport
import Soups

/// Everything that a mock service knows, and its answers to requests without faults.
struct MockODataState: Sendable {
    var data: MockData
    let metadata: [UInt8]
    var options: MockODataOptions
    /// The time in milliseconds since 1970, which answers have in `Date`.
    var now: Int64 = 1_598_961_600_000
    var rules: [ActiveODataRule] = []
    var log = ODataRequestLog()
    /// What earlier parts of a change set have created, by Content-ID.
    var created: [String: (set: String, key: String)] = [:]
    /// The faults of parts of the batch that is being answered.
    var partFaults: [(part: Int, fault: MockODataFault)] = []

    init(_ metadata: [UInt8], _ model: MockModel, _ options: MockODataOptions) {
        self.metadata = metadata
        self.options = options
        data = MockData(model)
        data.changeLimit = options.changeLimit
        log.limit = options.logLimit
    }

    var model: MockModel { data.model }
    var version: MockODataVersion { options.version }

    // MARK: - Requests

    /// What a request asks for; nil if the service does not have it.
    func route(_ request: ServiceRequest) throws(Refusal) -> MockODataRoute {
        guard request.path.hasPrefix(options.root) || request.path + "/" == options.root else {
            throw .notFound
        }
        var method = request.method
        if method == "POST",
            let tunnelled = request.headers.first(where: { $0.name.lowercased() == "x-http-method" })?.value
        {
            method = tunnelled.uppercased()
        }
        let query = request.target.firstIndex(of: "?").map { String(request.target[$0...].dropFirst()) } ?? ""
        return try MockODataRoute(
            method: method, path: String(request.path.dropFirst(options.root.utf8.count)), query: query
        ) { set, name in model.type(of: set).navigation(name) != nil }
    }

    /// Answers a request as the service would without faults.
    mutating func apply(_ request: ServiceRequest, _ spoils: Spoils) -> MockReply {
        let format: MockFormat
        do {
            format = try answerFormat(request)
            let root = (request.headers.first { $0.name.lowercased() == "host" }.map { "http://" + $0.value } ?? "")
            let context = MockContext(
                request: request, route: try route(request), format: format,
                quotesNumbers: accepted(request).contains("ieee754compatible=true"), root: root + options.root,
                spoils: spoils)
            do {
                return try answer(context)
            } catch {
                return reply(error, format)
            }
        } catch {
            return reply(error, version.isV4 ? .json : .verbose)
        }
    }

    private func accepted(_ request: ServiceRequest) -> String {
        let header = request.headers.first { $0.name.lowercased() == "accept" }?.value ?? ""
        return header.lowercased() + " " + (request.target.contains("$format=json") ? "application/json" : "")
    }

    private func answerFormat(_ request: ServiceRequest) throws(Refusal) -> MockFormat {
        let accepted = accepted(request)
        if version.isV4 {
            guard !accepted.contains("atom") else {
                throw Refusal(415, "UnsupportedMediaType", "the service answers in JSON")
            }
            return .json
        }
        if accepted.contains("json") {
            return accepted.contains("odata=verbose") || version == .v2 ? .verbose : .light
        }
        return .atom
    }

    private mutating func answer(_ context: MockContext) throws(Refusal) -> MockReply {
        let route = context.route
        if let id = route.contentId {
            guard let entity = created[id] else {
                throw Refusal(424, "FailedDependency", "no earlier request of the change set has this Content-ID")
            }
            return try answer(context, set: entity.set, key: entity.key)
        }
        switch route.call {
        case .service: return try service(context)
        case .metadata: return metadataReply()
        case .batch: return try batch(context)
        default: break
        }
        guard model.set(route.set) != nil else { throw .notFound }
        let key = try route.predicate.map { (predicate) throws(Refusal) in try self.key(predicate, in: route.set) }
        return try answer(context, set: route.set, key: key)
    }

    private mutating func answer(_ context: MockContext, set: String, key: String?) throws(Refusal) -> MockReply {
        switch context.route.call {
        case .set, .nextPage, .delta: return try page(context, of: set)
        case .count:
            let text = String(try found(context, in: set).count)
            return MockReply(200, [Pair("Content-Type", "text/plain")], Array(text.utf8))
        case .create where context.route.name == nil: return try create(context, in: set)
        case .create: return try createRelated(context, to: set, key ?? "")
        case .entity: return try entity(context, set, key ?? "")
        case .property: return try property(context, set, key ?? "")
        case .navigation: return try navigation(context, set, key ?? "")
        case .links: return try changeLinks(context, set, key ?? "")
        case .update, .replace: return try update(context, set, key ?? "")
        case .delete: return try delete(context, set, key ?? "")
        case .service, .metadata, .batch: throw .notFound
        }
    }

    /// The text by which the entity of a key predicate is found. Throws 400 for one that does not fit the key.
    func key(_ predicate: String, in set: String) throws(Refusal) -> String {
        let type = model.type(of: set)
        let parts = MockODataRoute.keyParts(predicate)
        guard parts.count == type.key.count else { throw .malformed("the key has another number of parts") }
        var values = JSONObject()
        for (index, part) in parts.enumerated() {
            let name = part.name.isEmpty && parts.count == 1 ? type.key[index] : part.name
            guard type.key.contains(name),
                let value = KeyPart.value(ofLiteral: part.literal, type: type.property(name)?.type ?? "Edm.String")
            else { throw .malformed("the key does not fit the type") }
            values[name] = value
        }
        guard let key = data.key(of: values, in: set) else { throw .malformed("the key does not fit the type") }
        return key
    }

    /// The entity that a URL names; nil for a URL of anything else.
    func target(ofURL url: String) -> (set: String, key: String)? {
        if url.hasPrefix("$") {
            return created[String(url.dropFirst())]
        }
        let last = url.split(separator: "/").last.map(String.init) ?? ""
        guard let text = last.utf8.percentDecoded(), let start = text.firstIndex(of: "("), text.last == ")",
            model.set(String(text[..<start])) != nil
        else { return nil }
        let set = String(text[..<start])
        return (try? key(String(text[text.index(after: start)...].dropLast()), in: set)).map { (set, $0) }
    }

    // MARK: - Replies

    /// The reply of a refusal.
    func reply(_ refusal: Refusal, _ format: MockFormat) -> MockReply {
        let error = OutError(code: refusal.code, message: refusal.message, target: refusal.target)
        let headers: [Pair]
        let body: [UInt8]
        switch format {
        case .atom:
            headers = [Pair("Content-Type", "application/xml")]
            body = Array(AtomPayload.error(error).utf8)
        case .verbose, .light, .json:
            let request = ServiceRequest(method: "GET", path: options.root)
            let route = MockODataRoute.service
            let context = MockContext(
                request: request, route: route, format: format, quotesNumbers: false, root: options.root)
            headers = [Pair("Content-Type", "application/json")]
            body = JSONPayload(context: context, version: version).error(error).bytes()
        }
        return MockReply(refusal.status, headers + versionHeaders, body)
    }

    var versionHeaders: [Pair] {
        [Pair(version.isV4 ? "OData-Version" : "DataServiceVersion", version.rawValue + (version.isV4 ? "" : ";"))]
    }

    /// A reply with a payload in the format of the request.
    func reply(
        _ status: Int, _ context: MockContext, headers: [Pair] = [], kind: String = "", atom: (AtomPayload) -> String,
        json: (JSONPayload) -> JSONValue
    ) -> MockReply {
        if context.format == .atom {
            let payload = AtomPayload(context: context, namespace: model.namespace)
            let type = kind.isEmpty ? "application/xml" : "application/atom+xml;type=" + kind
            return MockReply(
                status, [Pair("Content-Type", type)] + versionHeaders + headers, Array(atom(payload).utf8))
        }
        let type =
            switch context.format {
            case .verbose: "application/json;odata=verbose"
            case .light: "application/json;odata=minimalmetadata"
            default: version == .v401 ? "application/json;metadata=minimal" : "application/json;odata.metadata=minimal"
            }
        let quoted = context.quotesNumbers ? ";IEEE754Compatible=true" : ""
        return MockReply(
            status, [Pair("Content-Type", type + quoted)] + versionHeaders + headers,
            json(JSONPayload(context: context, version: version)).bytes())
    }

    private func service(_ context: MockContext) throws(Refusal) -> MockReply {
        let sets = model.sets.map(\.name)
        return reply(200, context, atom: { $0.service(sets) }, json: { $0.service(sets) })
    }

    private func metadataReply() -> MockReply {
        MockReply(200, [Pair("Content-Type", "application/xml")] + versionHeaders, metadata)
    }
}

extension MockODataRoute {
    /// The service root, for answers that no route was found for.
    static let service = MockODataRoute(call: .service)

    private init(call: MockODataCall) { self.call = call }
}
