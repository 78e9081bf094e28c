public import JSONText
public import ServiceTransport
public import Soups
import Synchronization

/// An OData service in memory, with failures by rule, to test a client against. It reads metadata, URLs, filters and
/// payloads by naive code of its own, so that an error of the engine is not answered by the same error.
///
/// ```swift
/// let service = try MockODataService(metadata: metadata)
/// try service.set("Products", "(7)", ["Name": "Milk", "Price": 2.5])
/// let request = ServiceRequest(method: "GET", path: "/odata/Products", query: [Pair("$filter", "Price gt 2")])
/// let response = try await service.transport.send(request)
/// ```
///
/// Versions 2.0 to 4.01: service document, metadata, sets with `$filter`, `$orderby`, `$top`, `$skip`, `$select`,
/// `$expand` and counts, entities, properties, links, changes with ETags, batches, pages and changes since a link. What
/// it does not know it refuses with 501. Any number of threads may use it; each request is answered as a whole, one
/// after the other.
public final class MockODataService: Sendable {
    private let state: Mutex<MockODataState>
    private let hook = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Creates a service without entities. Throws `invalidXML` for metadata that are not XML, and `invalidArguments`
    /// for metadata without an entity set, or a root that is not between slashes.
    public init(metadata: [UInt8], options: MockODataOptions = MockODataOptions()) throws(Fault) {
        let model: MockModel
        do throws(Refusal) {
            model = try MockModelReader.model(metadata)
        } catch {
            throw Fault(.invalidXML, error.message)
        }
        guard !model.sets.isEmpty else {
            throw Fault(.invalidArguments, "the metadata have no entity set")
        }
        guard options.root.hasPrefix("/"), options.root.hasSuffix("/") else {
            throw Fault(.invalidArguments, "the root of the service must begin and end with a slash")
        }
        state = Mutex(MockODataState(metadata, model, options))
    }

    /// Sends requests to this service, without any network.
    public var transport: MockODataTransport { MockODataTransport(self) }

    /// Answers a request: finds the rules that strike it, applies it, and logs it. Linear in the entities of the sets
    /// that it is about, and in its bytes.
    public func handle(_ request: ServiceRequest) -> MockODataAnswer {
        let (number, plan) = state.withLock { $0.plan(request) }
        call(plan.signals(after: false))
        let answer = state.withLock { $0.answer(request, plan) }
        call(plan.signals(after: true))
        state.withLock { state in
            let call = (try? state.route(request))?.call
            state.log.append(LoggedODataRequest(number: number, request: request, call: call, answer: answer))
        }
        return answer
    }

    func locked<R>(_ work: (inout sending MockODataState) throws(Fault) -> sending R) throws(Fault) -> sending R {
        try state.withLock { (state) throws(Fault) in try work(&state) }
    }

    private func call(_ signals: [String]) {
        guard let hook = hook.withLock({ $0 }) else { return }
        for signal in signals {
            hook(signal)
        }
    }
}

// MARK: - Entities
extension MockODataService {
    /// Returns the entities of a set, in the order in which they were created; none for a set that the service does not
    /// have.
    public func entities(of set: String) -> [JSONObject] {
        state.withLock { $0.data.table(set).entities.map(\.values) }
    }

    /// Creates or changes an entity, as another user does. The key is a predicate, such as `(7)` or
    /// `(OrderID=1,ItemID='a')`.
    ///
    /// Throws `invalidArguments` for a set that the service does not have, and a key that does not fit it.
    public func set(_ set: String, _ key: String, _ properties: JSONObject) throws(Fault) {
        try change(set, key, properties)
    }

    /// Deletes an entity, as another user does. One that is not there is none to delete. Throws as `set`; also for one
    /// that others need.
    public func delete(_ set: String, _ key: String) throws(Fault) { try change(set, key, nil) }

    private func change(_ set: String, _ key: String, _ properties: JSONObject?) throws(Fault) {
        try state.withLock { (state) throws(Fault) in
            do throws(Refusal) {
                let predicate = key.hasPrefix("(") && key.hasSuffix(")") ? String(key.dropFirst().dropLast()) : key
                try state.change(set, predicate, properties)
            } catch {
                throw Fault(.invalidArguments, "the entity of \(set) cannot be changed: \(error.message)")
            }
        }
    }

    /// Says what differs between the entities of a set and rows: a line for each entity without a row, row without an
    /// entity, key with several rows, and property with another value. Empty if they are the same.
    ///
    /// Only the properties of `names` are compared, all without it. Numbers are compared by value, instants too.
    public func differences(_ set: String, from rows: [JSONObject], names: [String]? = nil) -> [String] {
        state.withLock { state in
            var lines: [String] = []
            var met: Set<String> = []
            let type = state.model.type(of: set)
            for row in rows {
                guard let key = state.data.key(of: row, in: set) else {
                    lines.append("a row of \(set) has no key")
                    continue
                }
                guard met.insert(key).inserted else {
                    lines.append("double: \(set)(\(key))")
                    continue
                }
                guard let entity = state.data.entity(set, key) else {
                    lines.append("gone: \(set)(\(key))")
                    continue
                }
                for property in type.properties where names?.contains(property.name) ?? true {
                    let (a, b) = (entity.values[property.name] ?? .null, row[property.name] ?? .null)
                    let order = PlainValue(a, type: property.type).compared(to: PlainValue(b, type: property.type))
                    if a != b, order != 0 {
                        lines.append("stale: \(set)(\(key)).\(property.name)")
                    }
                }
            }
            lines += state.data.table(set).entities.filter { !met.contains($0.key) }.map { "lost: \(set)(\($0.key))" }
            return lines
        }
    }
}

// MARK: - Faults, clock and log
extension MockODataService {
    /// Adds a rule. Rules strike in the order in which they were added; each counts its own requests.
    public func add(_ rule: ODataFaultRule) { state.withLock { $0.rules.append(ActiveODataRule(rule)) } }

    /// Removes all rules.
    public func removeRules() { state.withLock { $0.rules = [] } }

    /// Has a function called for each `MockODataFault.signal`, with its name, on the thread of the request. It may use
    /// the service.
    public func onSignal(_ body: @escaping @Sendable (String) -> Void) { hook.withLock { $0 = body } }

    /// The time in milliseconds since 1970 that answers and computed dates have. It stays where it is set.
    public var now: Int64 {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    /// How the service behaves where services differ. The root and the version stay as they were.
    public var options: MockODataOptions {
        get { state.withLock { $0.options } }
        set {
            state.withLock { state in
                var options = newValue
                options.root = state.options.root
                options.version = state.options.version
                state.options = options
                state.data.changeLimit = options.changeLimit
                state.log.limit = options.logLimit
            }
        }
    }

    /// The requests so far, oldest first.
    public var log: [LoggedODataRequest] { state.withLock { $0.log.entries } }

    /// Forgets the requests so far; numbers go on.
    public func clearLog() { state.withLock { $0.log.clear() } }

    /// Says what a request asks for; nil if the service does not have it.
    public func call(of request: ServiceRequest) -> MockODataCall? {
        state.withLock { (try? $0.route(request))?.call }
    }
}
