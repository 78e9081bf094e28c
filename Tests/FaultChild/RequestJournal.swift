import FoundationEssentials
import JSONText
import Libc
import ServiceTransport
import Soups

/// Keeps requests in a file before a service in memory answers them, so that the service can be made again after its
/// process was killed: it does the same for the same requests.
struct RequestJournal: Transport {
    private let path: String
    private let base: any Transport

    /// - Parameter path: The file, which need not exist.
    init(_ path: String, _ base: any Transport) {
        self.path = path
        self.base = base
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        try append(Self.line(request))
        return try await base.send(request)
    }

    /// The requests in a file, in their order; none without a file.
    static func requests(in path: String) throws -> [ServiceRequest] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return try data.split(separator: UInt8(ascii: "\n")).map { try request(JSONValue(parsing: Array($0))) }
    }

    /// What is written outlives the process.
    private func append(_ line: [UInt8]) throws {
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard file >= 0, write(file, line, line.count) == line.count else {
            throw Fault(.inputOutput, "the journal of requests cannot be written")
        }
        close(file)
    }

    private static func line(_ request: ServiceRequest) -> [UInt8] {
        let line: JSONValue = [
            "method": .string(request.method), "path": .string(request.path),
            "query": .array(request.query.map { .array([.string($0.name), .string($0.value)]) }),
            "encodedQuery": request.encodedQuery.map(JSONValue.string) ?? .null,
            "headers": .array(request.headers.map { .array([.string($0.name), .string($0.value)]) }),
            "body": request.body.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null,
        ]
        return line.bytes() + [UInt8(ascii: "\n")]
    }

    private static func request(_ line: JSONValue) -> ServiceRequest {
        func pairs(_ name: String) -> [Pair] {
            (line[name]?.array ?? []).map { Pair($0.array?.first?.string ?? "", $0.array?.last?.string ?? "") }
        }
        return ServiceRequest(
            method: line["method"]?.string ?? "", path: line["path"]?.string ?? "", query: pairs("query"),
            encodedQuery: line["encodedQuery"]?.string, headers: pairs("headers"),
            body: line["body"]?.string.map { Array($0.utf8) })
    }
}
