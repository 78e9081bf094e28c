import Libc
import ServiceTransport
import Synchronization

/// Counts requests, and ends the process at one of them, as SIGKILL does.
final class KillingTransport: Transport {
    /// When in a request the process ends. The numbers are those of the child's arguments.
    enum Moment: Int32, CaseIterable {
        case beforeDelivery = 100
        /// The service has done what was asked; the answer does not arrive.
        case beforeAnswer = 101
    }

    private let base: any Transport
    private let moment: Moment?
    private let number: Int
    private let requests = Atomic(0)

    init(_ base: any Transport, _ moment: Moment?, at number: Int) {
        self.base = base
        self.moment = moment
        self.number = number
    }

    var count: Int { requests.load(ordering: .relaxed) }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let isIt = requests.add(1, ordering: .relaxed).newValue == number
        if isIt, moment == .beforeDelivery {
            end()
        }
        let response = try await base.send(request)
        if isIt, moment == .beforeAnswer {
            end()
        }
        return response
    }

    private func end() { kill(getpid(), SIGKILL) }
}
