public import JSONText
import ServiceTransport
import Soups

/// Gets the description of an object type, as one record whose id is the type.
public struct MetadataTarget: DownTarget {
    private let fields: TargetFields
    private let objectType: String

    init(_ reader: DefinitionReader) throws(Fault) {
        fields = try TargetFields(reader)
        objectType = try reader.requiredName("sobjectType")
    }

    public var idField: String { fields.id }
    public var modificationField: String { fields.modification }
    public var json: JSONObject { fields.json([("type", "metadata"), ("sobjectType", .string(objectType))]) }

    public func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
        let path = context.basePath + "/sobjects/\(PercentEncoding.encoded(objectType))/describe"
        let request = ServiceRequest(method: "GET", path: path, headers: ServiceCalls.headers)
        return try await context.document(request, id: objectType, target: self)
    }

    public func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? { nil }
    public func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {}
}

/// Gets the layout of an object type, as one record whose id names what was asked for.
public struct LayoutTarget: DownTarget {
    private let fields: TargetFields
    private let objectType: String
    /// The members that were given, in the order of the call: formFactor, layoutType, mode, recordTypeId.
    private let parts: [(name: String, value: String?)]

    init(_ reader: DefinitionReader) throws(Fault) {
        fields = try TargetFields(reader)
        objectType = try reader.requiredName("sobjectType")
        parts = [
            ("formFactor", try reader.text("formFactor")), ("layoutType", try reader.text("layoutType") ?? "Full"),
            ("mode", try reader.text("mode")), ("recordTypeId", try reader.text("recordTypeId")),
        ]
    }

    public var idField: String { fields.id }
    public var modificationField: String { fields.modification }
    public var json: JSONObject {
        let given = parts.compactMap { part in part.value.map { (part.name, JSONValue.string($0)) } }
        return fields.json([("type", "layout"), ("sobjectType", .string(objectType))] + given)
    }

    /// The id of the record: the type and the parts, joined; a part that is absent is empty.
    var recordId: String { ([objectType] + parts.map { $0.value ?? "" }).joined(separator: "-") }

    public func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
        let path = context.basePath + "/ui-api/layout/\(PercentEncoding.encoded(objectType))"
        let query = parts.compactMap { part in part.value.map { Pair(part.name, $0) } }
        let request = ServiceRequest(method: "GET", path: path, query: query, headers: ServiceCalls.headers)
        return try await context.document(request, id: recordId, target: self)
    }

    public func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? { nil }
    public func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {}
}

extension DownContext {
    /// A page of one record: the answer to a request, with an id of ours.
    fileprivate func document(
        _ request: ServiceRequest, id: String, target: some DownTarget
    ) async throws -> DownPage {
        let answer = CallAnswer(request: request, bytes: try await succeed(request).body)
        let form = RecordForm(
            idField: target.idField, modificationField: target.modificationField, id: RecordId(id))
        return try answer.read { (bytes) throws(Fault) in
            try PageReader.reading(bytes) { (root) throws(WrongForm) in
                guard root.kind == .object else { throw WrongForm("the answer is not a JSON object") }
                let found = try form.read(root)
                var page = DownPage(bytes: bytes, records: [found.record])
                page.unreadableDates = found.hasUnreadableDate ? 1 : 0
                page.total = 1
                page.isLast = true
                return page
            }
        }
    }
}
