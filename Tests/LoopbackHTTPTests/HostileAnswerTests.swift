import LoopbackHTTP
import Platform
import TestSupport
import Testing

/// What a server may send instead of one answer.
@Suite struct HostileAnswerTests {
    private func outcome(_ answer: String, limit: Int = 1 << 20, method: String = "GET") async throws -> String {
        try await outcome([Array(answer.utf8)], limit: limit, method: method)
    }

    private func outcome(_ pieces: [[UInt8]], limit: Int = 1 << 20, method: String = "GET") async throws -> String {
        let server = try ScriptedServer(pieces)
        let request = ServiceRequest(method: method, path: "/", answerLimit: limit)
        do {
            let response = try await LoopbackTransport(port: server.port, timeout: 120_000).send(request)
            return "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
        } catch let fault as Fault {
            return fault.code.rawValue
        } catch TransportFailure.noAnswer(let text) {
            return text
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "200 ok"),
        ("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nokmore", "200 ok"),
        ("HTTP/1.0 404 Not Found\r\n\r\nto the end", "404 to the end"),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", "201 "),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n00A\r\n0123456789\r\n0\r\n\r\n",
            "200 ok0123456789"
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 ;x=y\r\nok\r\n0 \r\n\r\n", "200 ok"),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", "204 "),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", "200 ok"),
    ])
    func `answers are read in all forms of a body`(answer: String, expected: String) async throws {
        #expect(try await outcome(answer) == expected)
    }

    @Test(arguments: [
        "", "H", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
    ])
    func `an answer that is cut is no answer`(_ answer: String) async throws {
        #expect(try await outcome(answer) == "the connection was closed before the whole answer had come")
    }

    @Test(arguments: [
        "\u{16}\u{3}\u{1}\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
        "HTTP/1.1 999 OK\r\n\r\n", "HTTP/1.1 200 OK\n\n", "<html>\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\n folded: 1\r\n\r\n", "HTTP/1.1 200 OK\r\nX: \u{0}\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokX\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 x\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\nok", "HTTP/1.1 200 OK\r\nTransfer-Encoding: ,\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: ,\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chun\u{212A}ed\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ])
    func `what is not HTTP is no answer`(_ answer: String) async throws {
        #expect(try await outcome(answer) == "the answer is not HTTP")
    }

    @Test func `a length that is announced takes no memory before its bytes come`() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\nok"
        #expect(
            try await outcome(answer, limit: .max) == "the connection was closed before the whole answer had come")
    }

    @Test func `interim answers without end are no answer`() async throws {
        let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100)
        #expect(try await outcome(interim) == "the answer is not HTTP")
    }

    @Test func `a head without end is no answer`() async throws {
        let line = Array("X: ".utf8) + Array(repeating: UInt8(ascii: "a"), count: 400_000) + Array("\r\n".utf8)
        #expect(try await outcome([Array("HTTP/1.1 200 OK\r\n".utf8), line]) == "the answer is not HTTP")
        let many = String(repeating: "X: a\r\n", count: 100_000)
        #expect(try await outcome("HTTP/1.1 200 OK\r\n" + many) == "the answer is not HTTP")
    }

    @Test func `an answer over the limit is a fault in every form of a body`() async throws {
        let body = String(repeating: "a", count: 1_001)
        #expect(
            try await outcome("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n" + body, limit: 1_001).hasPrefix("200"))
        for (head, text) in [
            ("Content-Length: 1001\r\n\r\n", body), ("Content-Length: 900000000000000000\r\n\r\n", ""),
            ("\r\n", body), ("Transfer-Encoding: chunked\r\n\r\n", "3E9\r\n" + body + "\r\n0\r\n\r\n"),
            ("Transfer-Encoding: chunked\r\n\r\n", "FFFFFFFFFFFFFFF\r\n"),
        ] {
            #expect(try await outcome("HTTP/1.1 200 OK\r\n" + head + text, limit: 1_000) == "limitExceeded")
        }
    }

    @Test func `an answer of 64 MB is read within its limit, and refused above it before it is in memory`() async throws
    {
        let length = 64 << 20
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n".utf8)
        let pieces = [head] + Array(repeating: piece, count: 64)
        let server = try ScriptedServer(pieces)
        let request = ServiceRequest(method: "GET", path: "/")
        let response = try await LoopbackTransport(port: server.port, timeout: 600_000).send(request)
        #expect(response.body.count == length)
        #expect(try await outcome(pieces, limit: length - 1) == "limitExceeded")
        #expect(try await outcome([Array("HTTP/1.0 200 OK\r\n\r\n".utf8)] + pieces, limit: 1 << 20) == "limitExceeded")
    }
}
