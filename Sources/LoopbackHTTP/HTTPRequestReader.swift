import ServiceTransport

/// A request as it came over a connection.
struct HTTPRequest {
    var request: ServiceRequest
    /// Whether the client sends further requests over the connection.
    let keepsConnection: Bool
}

/// Reads requests of one connection, each within the limits.
struct HTTPRequestReader {
    let stream: ByteStream
    let limits: LoopbackLimits

    /// The next request; nil if the client has closed the connection, or was idle for too long.
    func next() throws(HTTPRefusal) -> HTTPRequest? {
        stream.deadline = Deadline(seconds: limits.idleSeconds)
        // A request that has not begun needs no answer when it does not come.
        guard stream.available > 0 || (try? stream.fill()) == true else { return nil }
        stream.deadline = Deadline(seconds: limits.requestSeconds)
        guard let line = try firstLine() else { return nil }
        let start = try RequestLine(line)
        let head: HTTPHead
        do throws(StreamFailure) {
            let fields = try HTTPHead.fields(stream, limit: limits.headBytes - line.count)
            head = HTTPHead(firstLine: line, headers: fields)
        } catch {
            guard let refusal = HTTPRefusal(error) else { return nil }
            throw refusal
        }
        try HostHeader.check(head, isRequired: start.isCurrent)
        guard let body = try body(head, start) else { return nil }
        var request = ServiceRequest(
            method: start.method, path: start.path, encodedQuery: start.query, headers: head.headers)
        request.body = body
        let options = head.words("connection")
        let keeps = start.isCurrent ? !options.contains("close") : options.contains("keep-alive")
        return HTTPRequest(request: request, keepsConnection: keeps)
    }

    /// The first line; nil if the client has closed the connection. Empty lines before it are passed over, as RFC 9112
    /// asks for, as long as they are few.
    private func firstLine() throws(HTTPRefusal) -> [UInt8]? {
        do throws(StreamFailure) {
            for _ in 0..<4 {
                let line = try stream.line(limit: limits.headBytes)
                if !line.isEmpty {
                    return line
                }
            }
            throw .malformed
        } catch {
            if error == .tooLong {
                throw HTTPRefusal(414, "the URL is too long; shorten it or send a body")
            }
            guard let refusal = HTTPRefusal(error) else { return nil }
            throw refusal
        }
    }

    /// The body, nil inside for a request without one; nil if the client has closed the connection.
    private func body(_ head: HTTPHead, _ start: RequestLine) throws(HTTPRefusal) -> [UInt8]?? {
        let announced: BodyLength?
        do throws(BodyLength.Failure) {
            announced = try BodyLength.announced(in: head)
        } catch {
            throw error == .unknownCoding
                ? HTTPRefusal(501, "the transfer coding is unknown; use chunked or a length")
                : HTTPRefusal(400, "the length of the body is unclear; send one length or the coding chunked")
        }
        guard let announced else { return .some(nil) }
        if case .bytes(let length) = announced {
            try check(length)
        }
        try answerExpectation(head, start)
        var body: [UInt8] = []
        do throws(StreamFailure) {
            switch announced {
            case .bytes(let length): try stream.append(length, to: &body)
            case .chunked: try appendChunks(to: &body)
            }
        } catch {
            if error == .tooLong {
                throw tooLong
            }
            guard let refusal = HTTPRefusal(error) else { return nil }
            throw refusal
        }
        return body
    }

    private func appendChunks(to body: inout [UInt8]) throws(StreamFailure) {
        while true {
            let length = try stream.chunkLength()
            guard length > 0 else { return }
            guard body.count + length <= limits.bodyBytes else {
                throw .tooLong
            }
            try stream.appendChunk(length, to: &body)
        }
    }

    private func check(_ length: Int) throws(HTTPRefusal) {
        guard length <= limits.bodyBytes else {
            throw tooLong
        }
    }

    private var tooLong: HTTPRefusal {
        HTTPRefusal(413, "the body is longer than \(limits.bodyBytes) bytes; send less at a time")
    }

    /// A client that asks first is asked to send its body.
    private func answerExpectation(_ head: HTTPHead, _ start: RequestLine) throws(HTTPRefusal) {
        let expectations = head.words("expect")
        guard !expectations.isEmpty, start.isCurrent else { return }
        guard expectations == ["100-continue"] else {
            throw HTTPRefusal(417, "the expectation is unknown; use 100-continue or none")
        }
        _ = try? stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
}
