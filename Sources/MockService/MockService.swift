public import ServiceTransport
import Soups
import Synchronization

/// A service with records, queries and collections, and with failures by rule, to test a sync engine or another client
/// against. It keeps everything in memory, opens no connection, and does the same for the same requests.
///
/// ```swift
/// let service = MockService()
/// let id = try service.create("Account", ["Name": "Acme"])
/// let request = ServiceRequest(
///     method: "GET", path: "/services/data/v66.0/query", query: [Pair("q", "select Id, Name from Account")])
/// let response = try await service.transport.send(request)
/// let total = try JSONValue(parsing: response.body)["totalSize"]?.int64
/// ```
///
/// Any number of threads may use it; each request is answered as a whole, one after the other.
public final class MockService: Sendable {
    private let state: Mutex<MockState>
    private let hook = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Creates a service without records.
    ///
    /// - Parameters:
    ///   - objects: The types of records.
    ///   - options: How the service behaves where services differ.
    ///   - clock: The time that records and answers get.
    public init(
        objects: [MockObject] = MockObject.standard, options: MockOptions = MockOptions(),
        clock: MockClock = MockClock()
    ) {
        state = Mutex(MockState(objects, options, clock))
    }

    /// Sends requests to this service, without any network.
    public var transport: MockTransport { MockTransport(self) }

    /// Answers a request: finds the rules that strike it, applies it, and logs it. Linear in the records of the types
    /// that it is about, and in its bytes.
    public func handle(_ request: ServiceRequest) -> MockAnswer {
        let (number, plan) = state.withLock { $0.plan(request) }
        call(FaultPlan.signals(plan.before))
        let answer = state.withLock { $0.answer(request, plan) }
        call(FaultPlan.signals(plan.after))
        state.withLock { $0.log(request, answer, number) }
        return answer
    }

    private func call(_ signals: [String]) {
        guard let hook = hook.withLock({ $0 }) else { return }
        for signal in signals {
            hook(signal)
        }
    }

    func locked<R>(_ work: (inout sending MockState) throws(Fault) -> sending R) throws(Fault) -> sending R {
        try state.withLock { (state) throws(Fault) in try work(&state) }
    }

    func peek<R>(_ work: (inout sending MockState) -> sending R) -> sending R { state.withLock { work(&$0) } }
}

// MARK: - Faults, clock and log
extension MockService {
    /// Adds a rule. Rules strike in the order in which they were added; each counts its own requests.
    public func add(_ rule: FaultRule) { state.withLock { $0.rules.append(ActiveRule(rule)) } }

    /// Removes all rules.
    public func removeRules() { state.withLock { $0.rules = [] } }

    /// Has a function called for each `MockFault.signal`, with its name, on the thread of the request. It may use the
    /// service.
    public func onSignal(_ body: @escaping @Sendable (String) -> Void) { hook.withLock { $0 = body } }

    /// The time of the service.
    public var clock: MockClock {
        get { state.withLock { $0.clock } }
        set { state.withLock { $0.clock = newValue } }
    }

    /// How the service behaves where services differ. A new page size counts from the next query on.
    public var options: MockOptions {
        get { state.withLock { $0.options } }
        set {
            state.withLock { state in
                state.options = newValue
                state.log.limit = newValue.logLimit
            }
        }
    }

    /// The requests so far, oldest first.
    public var log: [LoggedRequest] { state.withLock { $0.log.entries } }

    /// Forgets the requests so far; numbers go on.
    public func clearLog() { state.withLock { $0.log.clear() } }
}
