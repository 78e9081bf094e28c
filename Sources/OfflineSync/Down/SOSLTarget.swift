public import JSONText
import ServiceTransport
import Soups

/// Gets what a SOSL search finds. Each run brings all of it.
public struct SOSLTarget: DownTarget {
    private let fields: TargetFields
    private let text: String

    init(_ reader: DefinitionReader) throws(Fault) {
        fields = try TargetFields(reader)
        text = try reader.required("query")
    }

    public var idField: String { fields.id }
    public var modificationField: String { fields.modification }
    public var json: JSONObject { fields.json([("type", "sosl"), ("query", .string(text))]) }

    /// The text of a run.
    var query: String { text }

    public func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
        try await found(context)
    }

    public func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? { nil }

    public func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
        try take(try await found(context).records.map(\.id))
    }

    private func found(_ context: DownContext) async throws -> DownPage {
        let request = ServiceRequest(
            method: "GET", path: context.basePath + "/search", query: [Pair("q", text)], headers: ServiceCalls.headers)
        let answer = CallAnswer(request: request, bytes: try await context.succeed(request).body)
        let reader = PageReader(RecordForm(idField: fields.id, modificationField: fields.modification))
        return try answer.read { (bytes) throws(Fault) in
            try PageReader.reading(bytes) { (root) throws(WrongForm) in
                let records = root.kind == .array ? root : root["searchRecords"]
                guard let records, records.kind == .array else {
                    throw WrongForm("the answer has no array of search records")
                }
                var page = try reader.records(records, bytes)
                page.total = page.records.count
                page.isLast = true
                return page
            }
        }
    }
}
