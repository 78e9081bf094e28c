import OfflineStore
import ServiceTransport
import Soups
import Synchronization

/// The connection of one run to the service: sends its requests one after the other, looks for a stop before each, and
/// counts them.
final class ServiceLink: Sendable {
    private struct State {
        var requests = 0
        var bytes = 0
        /// The time of the service when it read the data of the first answer.
        var serverTime: Int64?
        var hasData = false
    }

    let control: RunControl
    private let calls: ServiceCalls
    private let clock: StoreClock
    private let answerLimit: Int
    private let events: @Sendable (SyncEvent) -> Void
    private let state = Mutex(State())
    /// Lets requests take their turns, for targets that ask for several at once.
    private let turns = SyncQueue()

    init(
        _ transport: any Transport, control: RunControl, clock: StoreClock, answerLimit: Int,
        events: @escaping @Sendable (SyncEvent) -> Void
    ) {
        calls = ServiceCalls(transport: transport)
        self.control = control
        self.clock = clock
        self.answerLimit = answerLimit
        self.events = events
    }

    /// The requests and the bytes of answers so far.
    var counts: (requests: Int, bytes: Int) { state.withLock { ($0.requests, $0.bytes) } }

    /// The time of the service when it read the data of the first answer; nil if it did not say.
    var serverTime: Int64? { state.withLock { $0.serverTime } }

    /// Sends a request and returns the answer, whatever its status.
    func send(_ given: ServiceRequest, isData: Bool) async throws -> ServiceResponse {
        let ticket = turns.enter()
        defer { turns.leave(ticket) }
        await turns.turn(of: ticket)
        try control.check()
        var request = given
        request.answerLimit = min(given.answerLimit, answerLimit)
        let start = ContinuousClock.now
        let asked = clock.now()
        state.withLock { $0.requests += 1 }
        let response = try await sendUnlessCancelled(request)
        let answered = clock.now()
        state.withLock { state in
            state.bytes += response.body.count
            if isData, !state.hasData {
                state.hasData = true
                state.serverTime = Self.serverTime(of: response, asked: asked, answered: answered)
            }
        }
        let duration = ContinuousClock.now - start
        events(
            .request(
                method: request.method, path: request.path, status: response.status,
                bytesOut: request.body?.count ?? 0, bytesIn: response.body.count,
                nanoseconds: Int64(duration.components.seconds) * 1_000_000_000
                    + Int64(duration.components.attoseconds / 1_000_000_000)))
        return response
    }

    /// Sends a request; a cancellation of the run cancels it.
    private func sendUnlessCancelled(_ request: ServiceRequest) async throws -> ServiceResponse {
        let control = control
        let calls = calls
        return try await withThrowingTaskGroup(of: ServiceResponse?.self) { group in
            group.addTask { try await calls.send(request) }
            group.addTask {
                await control.waitForCancellation()
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let response = result {
                    return response
                }
                // The run was cancelled: so is the request. It may be answered all the same.
                group.cancelAll()
            }
            throw RunStopped()
        }
    }

    /// The date of the answer, less the time that the request took, rounded up to seconds: the data were read when the
    /// request came, and the date is cut to seconds.
    private static func serverTime(of response: ServiceResponse, asked: Int64, answered: Int64) -> Int64? {
        guard let text = response.header("Date"), let date = HTTPDate.milliseconds(of: text, now: answered) else {
            return nil
        }
        let taken = max(answered - asked, 0)
        return date - (taken + 999) / 1_000 * 1_000
    }
}
