import JSONText
import ServiceTransport
import Soups

/// A call about many records of which each has an outcome of its own.
struct CollectionCall {
    private let context: UpContext

    init(_ context: UpContext) { self.context = context }

    /// Sends records of one operation and returns the answer to each, in their order; nil for one that was not
    /// answered.
    ///
    /// - Throws: also `malformedAnswer` if there are more answers than records.
    func send(_ records: [PendingRecord]) async throws -> [JSONObject?] {
        guard let first = records.first else { return [] }
        let request = request(records, first)
        let response = try await context.succeed(request)
        let elements = try ServiceCalls.array(response, to: request)
        guard elements.count <= records.count else {
            throw ServiceError.malformed(request, "the answer has more elements than there are records")
        }
        return records.indices.map { $0 < elements.count ? elements[$0].object : nil }
    }

    /// Groups of deletions, each as many as path and query can name.
    func deletions(_ numbers: [Int], _ records: [PendingRecord]) -> [[Int]] {
        let fixed = request([], deleting: []).target.utf8.count
        var groups: [[Int]] = []
        var length = 0
        for number in numbers {
            let id = records[number].id ?? ""
            let next = length + PercentEncoding.encoded("," + id).utf8.count
            if !groups.isEmpty, next < IdSlices.targetLimit {
                groups[groups.count - 1].append(number)
                length = next
            } else {
                groups.append([number])
                length = fixed + PercentEncoding.encoded(id).utf8.count
            }
        }
        return groups
    }

    private func request(_ records: [PendingRecord], _ first: PendingRecord) -> ServiceRequest {
        let path = context.basePath + "/composite/sobjects"
        switch (first.operation, first.key) {
        case (.create, nil): return context.request("POST", path, body: body(records))
        case (.update, _): return context.request("PATCH", path, body: body(records))
        case (.delete, _): return request(records, deleting: records.compactMap(\.id))
        case (.create, let key?):
            let segments = [first.sentType, key.field].map { PercentEncoding.encoded($0) }
            return context.request("PATCH", ([path] + segments).joined(separator: "/"), body: body(records))
        }
    }

    private func request(_ records: [PendingRecord], deleting ids: [String]) -> ServiceRequest {
        context.request(
            "DELETE", context.basePath + "/composite/sobjects",
            query: [Pair("allOrNone", "false"), Pair("ids", ids.joined(separator: ","))])
    }

    private func body(_ records: [PendingRecord]) -> [UInt8] {
        var body = Array(#"{"allOrNone":false,"records":["#.utf8)
        for (number, record) in records.enumerated() {
            if number > 0 {
                body.append(UInt8(ascii: ","))
            }
            body += #"{"attributes":{"type":"#.utf8
            body += JSONValue.string(record.sentType).bytes()
            body.append(UInt8(ascii: "}"))
            if record.operation == .update, let id = record.text[context.idField] {
                // The name that the call has for it, whatever the target calls it.
                append("Id", id, to: &body)
            }
            if record.body.count > 2 {
                body.append(UInt8(ascii: ","))
                body += record.body[1..<record.body.count - 1]
            }
            if let key = record.key {
                append(key.field, key.value[...], to: &body)
            }
            body.append(UInt8(ascii: "}"))
        }
        body += "]}".utf8
        return body
    }

    private func append(_ name: String, _ value: ArraySlice<UInt8>, to body: inout [UInt8]) {
        body.append(UInt8(ascii: ","))
        body += JSONValue.string(name).bytes()
        body.append(UInt8(ascii: ":"))
        body += value
    }
}
