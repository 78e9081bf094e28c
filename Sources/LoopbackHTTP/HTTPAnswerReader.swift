import ServiceTransport
import Soups

/// Reads the answer to one request.
struct HTTPAnswerReader {
    private static let longestHead = 256 << 10
    /// Answers such as `100 Continue` come before the real one.
    private static let mostInterim = 8
    /// What a server announces is believed only so far: it may not send it.
    private static let mostReserved = 64 << 20

    let stream: ByteStream
    let request: ServiceRequest
    /// Whether this side has ended the connection.
    let isCancelled: () -> Bool

    /// Reads the answer; a fault if its body is longer than the request's limit.
    func read() throws(StreamFailure) -> Result<ServiceResponse, Fault> {
        var head = try HTTPHead.read(stream, limit: Self.longestHead)
        var status = try Self.status(of: head.firstLine)
        for _ in 0..<Self.mostInterim where status < 200 {
            head = try HTTPHead.read(stream, limit: Self.longestHead)
            status = try Self.status(of: head.firstLine)
        }
        guard status >= 200 else {
            throw .malformed
        }
        var response = ServiceResponse(status: status, headers: head.headers)
        guard request.method != "HEAD", status != 204, status != 304 else {
            return .success(response)
        }
        let announced: BodyLength?
        do throws(BodyLength.Failure) {
            announced = try BodyLength.announced(in: head)
        } catch {
            throw .malformed
        }
        if let fault = try readBody(announced, into: &response.body) {
            return .failure(fault)
        }
        return .success(response)
    }

    /// Reads the body as far as the limit allows. A body without a length ends with the connection.
    private func readBody(_ announced: BodyLength?, into body: inout [UInt8]) throws(StreamFailure) -> Fault? {
        switch announced {
        case .bytes(let length):
            if let fault = excess(length) {
                return fault
            }
            // The whole at once: growing would need the memory twice.
            body.reserveCapacity(min(length, Self.mostReserved))
            try stream.append(length, to: &body)
        case .chunked:
            while true {
                let length = try stream.chunkLength()
                guard length > 0 else { return nil }
                if let fault = excess(body.count + length) {
                    return fault
                }
                try stream.appendChunk(length, to: &body)
            }
        case nil:
            while try stream.appendPiece(to: &body) {
                if let fault = excess(body.count) {
                    return fault
                }
            }
            guard !isCancelled() else {
                // The end is not the server's: the body is cut.
                throw .ended
            }
        }
        return nil
    }

    private func excess(_ length: Int) -> Fault? {
        do throws(Fault) {
            try request.check(answerLength: length)
            return nil
        } catch {
            return error
        }
    }

    /// The status of `HTTP/1.1 200 OK`.
    private static func status(of line: [UInt8]) throws(StreamFailure) -> Int {
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0", parts[1].utf8.count == 3,
            let status = Int(parts[1]), (100...599).contains(status)
        else {
            throw .malformed
        }
        return status
    }
}
