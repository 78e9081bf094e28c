import LoopbackHTTP
import Synchronization

/// A server that answers with what it was asked: method, path, query and body, a line each.
final class EchoServer: Sendable {
    private final class Seen: Sendable {
        let requests = Mutex<[ServiceRequest]>([])
    }

    let server: LoopbackServer
    private let seen: Seen

    init(limits: LoopbackLimits = LoopbackLimits()) throws {
        let seen = Seen()
        self.seen = seen
        server = try LoopbackServer(limits: limits) { request in
            seen.requests.withLock { $0.append(request) }
            let lines = [
                request.method, request.path, request.encodedQuery ?? "-",
                request.body.map { String(decoding: $0, as: UTF8.self) } ?? "-",
            ]
            return LoopbackAnswer(
                ServiceResponse(status: 200, body: Array(lines.map { $0 + "\n" }.joined().utf8)))
        }
    }

    var port: UInt16 { server.port }
    var requests: [ServiceRequest] { seen.requests.withLock { $0 } }
    var transport: LoopbackTransport { LoopbackTransport(port: port) }
}
