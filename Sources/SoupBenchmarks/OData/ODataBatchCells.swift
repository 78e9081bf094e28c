import Benchmarking
import OData
import Soups

/// The cost of a `$batch`: writing its requests and reading them, as multipart and as JSON, compared with a loop that
/// only reads every byte of it; and how that grows with the number of requests, which is the parameter `entries`.
///
/// The unit of work is a byte of the batch, so that an exponent of 0 means linear in bytes.
enum ODataBatchCells: CellSource {
    private static let read = Arm("read")
    private static let write = Arm("write")
    private static let byteLoop = Arm("byte-loop")

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let sizes = scope.profile.name == .smoke ? [10, 20, 40] : [500, 1_000, 2_000]
        return [ODataBatch.Format.multipart, .json].flatMap { format in sizes.map { cell($0, format) } }
    }

    private static func cell(_ requests: Int, _ format: ODataBatch.Format) -> Cell {
        Cell(
            "odata-batch", ["entries": String(requests), "format": format.rawValue], revision: 1,
            summary: "writes a batch of \(requests) requests as \(format.rawValue), and reads it",
            arms: [read, write, byteLoop],
            comparisons: [
                .init(read, write), .init(byteLoop, read, sameAnswer: false),
                .init(byteLoop, write, sameAnswer: false),
            ],
            profile: .full,
            claims: [
                Claim(
                    "OFP-10", "reading a batch is linear in its bytes", backend: "any",
                    .growth(arm: read, -1...0.1))
            ]
        ) { arm, _ in
            let batch = try batch(of: requests)
            let bytes = try bytes(of: batch, format)
            switch arm.work {
            case read: return reading(bytes, format, requests)
            case write: return writing(batch, format, requests)
            default: return looking(at: bytes)
            }
        }
    }

    // MARK: - The batch

    /// Every fourth request is a read; the others are creations and updates with bodies of about 300 bytes, each a
    /// change set of its own, as a client sends rows that do not depend on each other.
    private static func batch(of count: Int) throws(Fault) -> ODataBatch {
        var requests: [(message: ODataBatch.Message, group: String?)] = []
        for number in 1...count {
            let isRead = number % 4 == 0
            requests.append((message: request(number), group: isRead ? nil : "g\(number)"))
        }
        return try ODataBatch(grouping: requests, version: .v4)
    }

    private static func request(_ number: Int) -> ODataBatch.Message {
        let accept = ODataBatch.Message.Header("Accept", "application/json")
        guard number % 4 != 0 else {
            return ODataBatch.Message(
                "GET", "Orders?$filter=OrderID%20eq%20\(number)&$top=5", headers: [accept], contentID: String(number))
        }
        let type = ODataBatch.Message.Header("Content-Type", "application/json")
        guard number % 2 == 0 else {
            return ODataBatch.Message(
                "POST", "Orders", headers: [type, accept], body: body(number), contentID: String(number))
        }
        return ODataBatch.Message(
            "PATCH", "Orders(\(number))", headers: [type, accept, .init("If-Match", "W/\"\(number)\"")],
            body: body(number), contentID: String(number))
    }

    private static func body(_ number: Int) -> String {
        let note = String(repeating: "a quick brown order ", count: 10)
        return
            "{\"OrderID\":\(number),\"Name\":\"order \(number)\",\"Note\":\"\(note)\",\"Price\":\(number % 100).25,\"Open\":true,\"Address\":{\"City\":\"Bern\",\"Country\":\"CH\"}}"
    }

    private static func bytes(of batch: ODataBatch, _ format: ODataBatch.Format) throws(Fault) -> [UInt8] {
        try batch.request(format: format, version: .v4, boundary: "batch_1", limits: limits(batch.messages.count)).body
    }

    /// Limits that take a batch of this number of requests, which may be more than the default.
    private static func limits(_ requests: Int) -> ODataBatch.Limits {
        var limits = ODataBatch.Limits()
        limits.parts = requests
        return limits
    }

    private static func batch(
        reading bytes: [UInt8], _ format: ODataBatch.Format, _ requests: Int
    ) throws(Fault) -> ODataBatch {
        let type = format == .json ? "application/json" : "multipart/mixed; boundary=batch_1"
        return try ODataBatch(
            reading: bytes, contentType: ContentType(type), direction: .request, limits: limits(requests))
    }

    // MARK: - The work

    private static func reading(_ bytes: [UInt8], _ format: ODataBatch.Format, _ requests: Int) -> Computation {
        var found = ODataBatch()
        return Computation {
            found = try batch(reading: bytes, format, requests)
            return bytes.count
        } answer: {
            add(found, to: &$0)
        }
    }

    /// The answer is what a reader finds in the bytes, so that it must be that of the arm that reads.
    private static func writing(_ batch: ODataBatch, _ format: ODataBatch.Format, _ requests: Int) -> Computation {
        var written: [UInt8] = []
        return Computation {
            written = try bytes(of: batch, format)
            return written.count
        } answer: {
            add(try Self.batch(reading: written, format, requests), to: &$0)
        }
    }

    private static func looking(at bytes: [UInt8]) -> Computation {
        var result = 0
        return Computation {
            result = 0
            for byte in bytes {
                result = result &* 31 &+ Int(byte)
            }
            return bytes.count
        } answer: {
            $0.add(result)
        }
    }

    private static func add(_ batch: ODataBatch, to digest: inout ContentDigest) {
        digest.add(batch.parts.count)
        for message in batch.messages {
            if case .request(let method, let url) = message.start {
                digest.add("\(method) \(url) \(message.contentID ?? "")")
            }
            for header in message.headers {
                digest.add("\(header.name): \(header.value)")
            }
            digest.add(message.body ?? [])
        }
    }
}
