import ServiceTransport

/// Answers with 401 to every session but the valid one, and can keep requests until as many have come as a test wants.
actor ScriptedTransport: Transport {
    /// What the requests carry as their session; `renew` changes it.
    private var session = 0
    /// The sessions that the service accepts.
    private let accepted: Set<Int>
    /// Requests are kept until this number has come.
    private let batch: Int
    private var kept: [CheckedContinuation<Void, Never>] = []
    private(set) var sent: [String] = []
    private(set) var renewals = 0

    init(accepting sessions: Set<Int>, keepingUntil batch: Int = 1) {
        accepted = sessions
        self.batch = batch
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        sent.append(request.target)
        let session = session
        if sent.count < batch {
            await withCheckedContinuation { kept.append($0) }
        } else {
            for request in kept {
                request.resume()
            }
            kept = []
        }
        return ServiceResponse(status: accepted.contains(session) ? 200 : 401)
    }

    func renew() {
        session += 1
        renewals += 1
    }

    func fail() throws {
        renewals += 1
        throw TransportFailure.sessionEnded
    }
}
